import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { SiteKeys } from './keys.js';

/** Keys that a script may be given: those of a site, and those that the caller names for one call. */
export type KeyName =
  | Exclude<keyof SiteKeys, 'namespace' | 'lockPrefix' | 'inFlightPrefix' | 'jobLock' | 'cache'>
  | 'lock';

/** Which implementation of the done seam a script is joined with. */
export type DoneVariant = 'set' | 'bloom';

/** Lua files in `lua/shared`, joined in front of a script; `done` becomes done-set or done-bloom. */
type Shared = 'clock' | 'task' | 'lease' | 'pace' | 'pause' | 'done';

export interface ScriptSpec<Arg extends string, Reply> {
  /** Name of the file in `lua/`, without `.lua`. */
  readonly name: string;
  readonly shared: readonly Shared[];
  readonly keys: readonly KeyName[];
  /** Named arguments, in order. `clock` (and `done` where the script is joined with it) come first and by themselves. */
  readonly args: readonly Arg[];
  /** `changes` (default): goes on when Redis is full; `adds`: is refused then; `reads`: writes nothing. */
  readonly effect?: 'changes' | 'adds' | 'reads';
  /** What each item of the open list after the named arguments is made of; absent: the script takes no list. */
  readonly rest?: readonly string[];
  readonly reply: z.ZodType<Reply>;
}

export interface Script<Arg extends string, Reply> extends ScriptSpec<Arg, Reply> {
  /** Source and its SHA-1 for EVALSHA. */
  source(done: DoneVariant): { readonly text: string; readonly sha: string };
}

const folder = new URL('../../lua/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

/** Binds a Lua file to named keys, named arguments and a checked reply. A test compares this with the file's header. */
export function defineScript<const Arg extends string, Reply>(spec: ScriptSpec<Arg, Reply>): Script<Arg, Reply> {
  const sources = new Map<DoneVariant, { text: string; sha: string }>();
  return {
    ...spec,
    source(done) {
      let source = sources.get(done);
      if (source === undefined) {
        const room = (spec.effect ?? 'changes') === 'changes' ? ['room'] : [];
        const parts = [...room, ...spec.shared].map((part) =>
          read(`shared/${part === 'done' ? `done-${done}` : part}.lua`),
        );
        const text = [...parts, read(`${spec.name}.lua`)].join('\n');
        source = { text, sha: createHash('sha1').update(text).digest('hex') };
        sources.set(done, source);
      }
      return source;
    },
  };
}
