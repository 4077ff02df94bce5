/** One thing that was checked. */
export interface Finding {
  /**
   * `violated`: something is wrong or will go wrong; `warning`: it may, under circumstances that the text names; `mended`: it
   * was, and was put right.
   */
  readonly level: 'ok' | 'warning' | 'mended' | 'violated';
  /** What was looked at: `Redis`, `MySQL`, or the name of a site. */
  readonly subject: string;
  /** In plain words, with what to do. */
  readonly what: string;
  /** The single things found, such as URLs; a few of them are enough to go by. */
  readonly details?: readonly string[];
}
