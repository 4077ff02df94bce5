import type { ConfigProblem } from '../errors/index.js';
import type { EnvFile } from './env-file.js';
import type { Env } from './process-env.js';
import type { Setting, SettingGroup, Values } from './setting.js';

/** Reads settings one by one and gathers what is wrong; values are to be used only when `problems` stayed empty. */
export class SettingReader {
  readonly problems: ConfigProblem[] = [];
  readonly #env: Env;
  readonly #file: EnvFile;
  readonly #isCron: (expression: string) => boolean;

  constructor(env: Env, file: EnvFile, isCron: (expression: string) => boolean) {
    this.#env = env;
    this.#file = file;
    this.#isCron = isCron;
  }

  /** Whether the user gave a value. An empty one counts as none: `HEALTH_PORT=` in `.env` means the default. */
  isSet(setting: Setting<unknown>): boolean {
    return this.#lookUp(setting.name) !== undefined;
  }

  /** Where the value of a setting stands, for problems and to tell what wins; undefined: nowhere. */
  placeOf(setting: Setting<unknown>): { readonly by: 'environment' | '.env'; readonly where: string } | undefined {
    return this.#lookUp(setting.name);
  }

  read<T>(setting: Setting<T>): T {
    const found = this.#lookUp(setting.name);
    const text = found?.text ?? fallbackText(setting);
    // Only optionalSetting() makes a fallback of nothing, and its T has undefined.
    if (text === undefined) return undefined as T;
    const result = setting.kind.schema.safeParse(text);
    const where = found?.where ?? setting.name;
    if (!result.success) {
      const what = result.error.issues[0]?.message ?? 'wrong';
      this.problems.push({ where, what, expected: setting.kind.expected });
      return undefined as T;
    }
    if (setting.cron && !this.#isCron(text)) {
      this.problems.push({ where, what: `'${text}' is not a cron expression`, expected: setting.kind.expected });
    }
    return result.data;
  }

  readGroup<G extends SettingGroup>(group: G): Values<G> {
    const entries = Object.entries(group).map(([key, setting]) => [key, this.read(setting)] as const);
    return Object.fromEntries(entries) as Values<G>;
  }

  /** The real environment wins over `.env`. */
  #lookUp(name: string): { text: string; by: 'environment' | '.env'; where: string } | undefined {
    const real = this.#env[name]?.trim();
    if (real !== undefined && real !== '')
      return { text: real, by: 'environment', where: `${name} in the environment` };
    const written = this.#file.values[name]?.trim();
    if (written === undefined || written === '') return undefined;
    return { text: written, by: '.env', where: `${name} in .env:${this.#file.lines.get(name) ?? '?'}` };
  }
}

function fallbackText({ fallback }: Setting<unknown>): string | undefined {
  if (fallback.kind === 'none') return undefined;
  return fallback.kind === 'text' ? fallback.text : fallback.compute();
}
