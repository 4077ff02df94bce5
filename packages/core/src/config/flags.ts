import { Command, CommanderError } from 'commander';
import { ConfigError, type ConfigProblem } from '../errors/index.js';
import { stripArgv } from './argv.js';
import { HelpRequested, problemOf } from './program.js';
import { suggest } from './suggest.js';
import type { ValueKind } from './value-kinds.js';

/** One flag of a daemon. Without `value` it is a switch. */
export interface FlagSpec<T> {
  /** As in help: `--pages <ranges>`, `--sitemap [url]`, `--dry-run`. */
  readonly syntax: string;
  readonly doc: string;
  readonly value?: ValueKind<T>;
  /** The value of a flag that may go without one: text for `value` to read. */
  readonly bare?: string;
}

export type FlagSpecs = Readonly<Record<string, FlagSpec<unknown>>>;

/** Switches are true or false; a flag with a value is what its kind gives, or undefined where it was not given. */
export type FlagValues<S extends FlagSpecs> = {
  readonly [K in keyof S]: S[K] extends { readonly value: ValueKind<infer T> } ? T | undefined : boolean;
};

export interface FlagsDefinition<S extends FlagSpecs> {
  /** As the user starts it: `pnpm --filter producer start --`. */
  readonly usage: string;
  readonly about: string;
  readonly specs: S;
  /** What follows the list of flags in help, such as examples. */
  readonly after?: string;
}

/** The flags that were given. `problems` go to loadConfig, which throws them with its own. */
export interface Flags<S extends FlagSpecs> {
  readonly values: FlagValues<S>;
  readonly problems: readonly ConfigProblem[];
}

/** Keeps the types of the specs; checks nothing. */
export function defineFlags<const S extends FlagSpecs>(definition: FlagsDefinition<S>): FlagsDefinition<S> {
  return definition;
}

/**
 * Reads the flags of a daemon: all problems, not only the first. Values are to be used only when there are none.
 *
 * @throws HelpRequested for `--help`.
 */
export function readFlags<S extends FlagSpecs>(definition: FlagsDefinition<S>, argv?: readonly string[]): Flags<S> {
  const command = new Command().usage('[flags]').name(definition.usage).description(definition.about);
  command
    .allowUnknownOption()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const { syntax, doc } of Object.values(definition.specs)) command.option(syntax, doc);
  if (definition.after !== undefined) command.addHelpText('after', `\n${definition.after}`);

  const problems: ConfigProblem[] = [];
  try {
    const { operands, unknown } = command.parseOptions(stripArgv(argv));
    if (unknown.includes('--help') || unknown.includes('-h')) throw new HelpRequested(helpText(command));
    problems.push(...unknownArguments(operands, unknown, command));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    problems.push(problemOf(error));
  }
  return { values: readValues(command, definition.specs, problems), problems };
}

/** The values of flags that have no problems. @throws ConfigError */
export function checkedValues<S extends FlagSpecs>(flags: Flags<S>): FlagValues<S> {
  if (flags.problems.length > 0) throw new ConfigError(flags.problems);
  return flags.values;
}

function unknownArguments(operands: string[], unknown: string[], command: Command): ConfigProblem[] {
  const known = command.options.map((option) => option.long ?? option.short ?? '');
  const [first] = unknown;
  const problems = operands.map((operand) => ({ where: `'${operand}'`, what: 'not a flag', expected: 'flags only' }));
  if (first === undefined) return problems;
  // After an unknown flag commander no longer tells its value from a stray word: only what looks like a flag is named.
  const flags = unknown.filter((argument) => argument.startsWith('-') && argument !== '-');
  return [
    ...problems,
    ...flags.map((flag) => {
      const where = flag.split('=')[0] ?? flag;
      return { where, what: 'unknown flag', expected: suggest(where, known) ?? `one of ${known.join(', ')}` };
    }),
  ];
}

function readValues<S extends FlagSpecs>(command: Command, specs: S, problems: ConfigProblem[]): FlagValues<S> {
  const entries = Object.entries(specs).map(([key, spec]) => {
    const option = command.options.find(({ flags }) => flags === spec.syntax);
    const given: unknown = option === undefined ? undefined : command.getOptionValue(option.attributeName());
    if (spec.value === undefined) return [key, given === true] as const;
    const written = given === true ? spec.bare : given;
    if (typeof written !== 'string') return [key, undefined] as const;
    const result = spec.value.schema.safeParse(written);
    if (result.success) return [key, result.data] as const;
    const what = result.error.issues[0]?.message ?? 'wrong';
    problems.push({ where: option?.long ?? spec.syntax, what, expected: spec.value.expected });
    return [key, undefined] as const;
  });
  return Object.fromEntries(entries) as FlagValues<S>;
}

function helpText(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}
