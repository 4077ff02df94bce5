/** Redis' time, as told by the last claim: rows of nodes whose clocks are wrong still come in the right order. */
export class RedisClock {
  #offsetMs = 0;

  /** @param redisNow - ms since 1970 */
  tell(redisNow: number): void {
    this.#offsetMs = redisNow - Date.now();
  }

  now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }
}
