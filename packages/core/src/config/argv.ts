/**
 * The arguments after the program's name, without the `--` with which pnpm hands them on
 * (`pnpm --filter producer start -- --pages 1-200` gives `-- --pages 1-200`).
 */
export function stripArgv(argv: readonly string[] = process.argv.slice(2)): string[] {
  return argv[0] === '--' ? argv.slice(1) : [...argv];
}
