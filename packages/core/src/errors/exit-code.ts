import { ConfigError } from './config-error.js';
import { UnavailableError } from './unavailable-error.js';

/** Exit codes, after BSD's sysexits.h. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** EX_UNAVAILABLE: Redis or MySQL did not answer a one-shot command before its deadline. */
  unavailable: 69,
  /** EX_CONFIG: a wrong flag, environment value or site file. */
  config: 78,
} as const;

/** The exit code that tells a script what kind of error ended the process. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.config;
  if (error instanceof UnavailableError) return EXIT.unavailable;
  return EXIT.failure;
}
