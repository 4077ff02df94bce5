import { isTransient } from '@dist-crawl/core/db';

/** What Redis answers while it is loading, full, failing over or saving in vain. */
const REDIS_TROUBLE =
  /^(?:OOM|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|BUSY|Connection is closed)\b/;

/** Whether the same run may succeed a little later, with nobody's help or an operator's. */
export function isPassing(error: unknown): boolean {
  return isTransient(error) || (error instanceof Error && REDIS_TROUBLE.test(error.message));
}
