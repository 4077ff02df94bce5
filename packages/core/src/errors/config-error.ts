/** One thing that is wrong with a flag, an environment value or a site file. */
export interface ConfigProblem {
  /** Where it stands: `--pages`, `REDIS_URL in .env:3`, `sites/shop.yaml:12:5 goods.fields.price`. */
  readonly where: string;
  /** What is wrong, with the offending value (never a secret). */
  readonly what: string;
  /** What would have been right. */
  readonly expected: string;
}

/** Wrong input from the user: nothing was started. Carries every problem found, not only the first. */
export class ConfigError extends Error {
  readonly code = 'CONFIG';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ where, what, expected }) => `  ${where}: ${what}; expected ${expected}`);
    super(
      `${problems.length === 1 ? 'a setting is wrong' : `${problems.length} settings are wrong`}:\n${lines.join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
