import { type Command, CommanderError } from 'commander';
import { ConfigError, type ConfigProblem } from '../errors/index.js';
import { stripArgv } from './argv.js';

/** Not an error: the user asked for help or the version. Whoever runs the process prints `text` to stdout and ends with 0. */
export class HelpRequested extends Error {
  readonly text: string;

  constructor(text: string) {
    super('help was asked for');
    this.name = 'HelpRequested';
    this.text = text;
  }
}

/**
 * Runs a commander program with its subcommands, so that what commander refuses becomes a ConfigError, and help a
 * {@link HelpRequested}; commander itself neither prints nor ends the process.
 */
export async function runProgram(program: Command, argv?: readonly string[]): Promise<void> {
  let output = '';
  quieten(program, (text) => (output += text));
  try {
    await program.parseAsync(stripArgv(argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') throw new HelpRequested(output);
    throw new ConfigError([problemOf(error)]);
  }
}

/** Settings that commander copies only to commands made after them: here for all there are. */
function quieten(command: Command, write: (text: string) => void): void {
  command.exitOverride();
  command.configureOutput({ writeOut: write, writeErr: write });
  for (const child of command.commands) quieten(child, write);
}

/** What commander says in one sentence, taken apart into where, what and expected. */
export function problemOf(error: CommanderError): ConfigProblem {
  const message = error.message.replace(/^error: /u, '');
  const suggested = /\(Did you mean (?:one of )?(.+?)\?\)/u.exec(message)?.[1];
  const quoted = [...message.matchAll(/'([^']*)'/gu)].map((match) => match[1] ?? '');
  const where = quoted[0] ?? 'command line';
  switch (error.code) {
    case 'commander.unknownOption':
      return { where, what: 'unknown flag', expected: suggested ?? 'a flag that --help lists' };
    case 'commander.unknownCommand':
      return { where, what: 'unknown command', expected: suggested ?? 'a command that --help lists' };
    case 'commander.optionMissingArgument':
    case 'commander.missingArgument':
      return { where: flagName(where), what: 'no value', expected: where };
    case 'commander.missingMandatoryOptionValue':
      return { where: flagName(where), what: 'not given', expected: where };
    case 'commander.invalidArgument': {
      const [, what = message, expected = 'a value that --help describes'] =
        /(argument '.*?' is invalid)\. ?(?:Allowed choices are |expected )?(.*?)\.?$/su.exec(message) ?? [];
      return { where: flagName(where), what, expected };
    }
    default:
      return { where: 'command line', what: message, expected: 'what --help describes' };
  }
}

/** `--pages` of `-p, --pages <ranges>`. */
function flagName(syntax: string): string {
  return /--[\w-]+/u.exec(syntax)?.[0] ?? syntax;
}
