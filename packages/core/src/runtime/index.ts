export type { Part, Phase } from './part.js';
export type { Parts } from './life-cycle.js';
export { type DaemonContext, type DaemonOptions, runDaemon } from './run-daemon.js';
export { runCommand } from './run-command.js';
export { formatProblems } from './report-error.js';
export { type HealthOptions, HealthServer, type Readiness, type ReadinessCheck } from './health-server.js';
export { repeat, type RepeatOptions, Ticker } from './repeat.js';
export {
  type Backoff,
  backoff,
  type BackoffOptions,
  DeadlineError,
  type Failure,
  isAbort,
  retry,
  type RetryOptions,
  sleep,
  withDeadline,
} from './waiting.js';
