import { inspect } from 'node:util';
import { HelpRequested } from '../config/index.js';
import { ConfigError, type ConfigProblem, EXIT, exitCodeOf, UnavailableError } from '../errors/index.js';
import { redactText } from '../logging/index.js';

/** What a user reads who set something wrong: each problem with its place and what was expected. No password. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  const head = problems.length === 1 ? 'A setting is wrong' : `${problems.length} settings are wrong`;
  const blocks = problems.map(
    ({ where, what, expected }) => `  ${redactText(`${where}: ${what}`)}\n    expected ${expected}\n`,
  );
  return `${head}; nothing was started.\n\n${blocks.join('\n')}`;
}

/** How a process that ends with `error` says so: text for stdout or stderr, and the exit code. */
export interface Farewell {
  readonly text: string;
  readonly stream: 'stdout' | 'stderr';
  readonly code: number;
}

/** Plain words for what the user can mend; the stack, with causes, for what nobody expected. Without passwords. */
export function farewell(error: unknown): Farewell {
  if (error instanceof HelpRequested) return { text: error.text, stream: 'stdout', code: EXIT.ok };
  const code = exitCodeOf(error);
  if (error instanceof ConfigError) return { text: formatProblems(error.problems), stream: 'stderr', code };
  if (error instanceof UnavailableError) return { text: redactText(`${error.message}\n`), stream: 'stderr', code };
  return { text: redactText(`${inspect(error, { depth: 4 })}\n`), stream: 'stderr', code };
}

/** Whether an error is explained well enough by {@link farewell} for a log line with its stack to be noise. */
export function isPlain(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof UnavailableError || error instanceof HelpRequested;
}
