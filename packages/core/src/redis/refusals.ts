/** What Redis or the client answers while nobody can serve a command, but soon may: a failover, a restart. */
const PASSING =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|UNBLOCKED|Connection is closed)\b/u;
/** Redis before 7 wraps what a script's command was refused for. */
const WRAPPED_READ_ONLY = /^ERR Error running script .*-READONLY /u;

/** A write came to a replica: its master is elsewhere. */
export function isReadOnly(error: Error): boolean {
  return error.message.startsWith('READONLY') || WRAPPED_READ_ONLY.test(error.message);
}

/** Whether the same command, sent again, may find somebody who serves it, with no one's help. */
export function passesByItself(error: unknown): boolean {
  return error instanceof Error && (PASSING.test(error.message) || isReadOnly(error));
}
