/** Names and values as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The real environment. This is the only place that reads `process.env`; everything else is handed an {@link Env}. */
export function processEnv(): Env {
  return process.env;
}
