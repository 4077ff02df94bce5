import type { RedisClient, SiteKeys } from '../redis/index.js';

const BLOCK_SECONDS = 10;

/**
 * Waits until the queue holds a task, at most 10 s. `BLMOVE queue queue RIGHT RIGHT` blocks without taking anything, so a
 * crash while waiting can lose nothing. It blocks its connection: give it one of its own, one waiter a node, since a
 * push wakes every waiter.
 * @returns whether there is something to claim
 */
export async function waitForTask(connection: RedisClient, { taskQueue }: SiteKeys): Promise<boolean> {
  return (await connection.blmove(taskQueue, taskQueue, 'RIGHT', 'RIGHT', BLOCK_SECONDS)) !== null;
}
