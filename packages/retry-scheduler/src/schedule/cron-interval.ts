import { createTask, type ScheduledTask } from 'node-cron';

/** Where a cron expression has fewer than two ticks to come. */
const FALLBACK_MS = 3_600_000;

/** Milliseconds between the next two ticks: a difference, so that a wrong clock of this machine does not matter. */
export function intervalOf(task: ScheduledTask): number {
  const [first, second] = task.getNextRuns(2);
  return first === undefined || second === undefined ? FALLBACK_MS : second.getTime() - first.getTime();
}

/** {@link intervalOf} of an expression that nobody schedules. */
export async function cronInterval(expression: string): Promise<number> {
  const task = createTask(expression, () => undefined);
  try {
    return intervalOf(task);
  } finally {
    await task.destroy();
  }
}
