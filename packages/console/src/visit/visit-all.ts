import type { Env } from '@dist-crawl/core/config';
import { sleep } from '@dist-crawl/core/runtime';
import type { LoadedSite } from '@dist-crawl/core/sites';
import { createVisitor, type CompiledSite, compileSite, type Visit, type Visitor } from '@dist-crawl/page';
import { type Answer, answerOf, refusalOf } from './answer.js';
import type { ChosenUrl, RefusedUrl } from './choose-site.js';

/** A look at some pages is no crawl: a site gets no more than this at once. */
const AT_ONCE_PER_ORIGIN = 4;
/** A longer Crawl-delay is shown but not waited for: somebody is waiting here. */
const LONGEST_DELAY_MS = 10_000;

export interface VisitAllOptions {
  readonly contact: string | undefined;
  /** What `${NAME}` in site files stands for. */
  readonly env?: Env;
  readonly signal: AbortSignal;
  /** Told each answer in the order of the URLs, as soon as all before it are there. */
  readonly onAnswer: (answer: Answer) => void;
}

/**
 * Visits URLs, each origin by itself: one that is slow or asks for a delay holds up no other. The first page of an origin goes alone, as it
 * tells whether a delay is wanted.
 */
export async function visitAll(
  wanted: readonly (ChosenUrl | RefusedUrl)[],
  { contact, env = {}, signal, onAnswer }: VisitAllOptions,
): Promise<void> {
  const answers: (Answer | undefined)[] = wanted.map(() => undefined);
  let told = 0;
  const settle = (index: number, answer: Answer): void => {
    answers[index] = answer;
    for (let next = answers[told]; next !== undefined; next = answers[told]) {
      told += 1;
      onAnswer(next);
    }
  };
  // Selectors are compiled first, so that a wrong one is told before anything is fetched.
  const compiled = new Map<LoadedSite, CompiledSite>();
  for (const each of wanted) {
    if ('loaded' in each && !compiled.has(each.loaded)) compiled.set(each.loaded, await compileSite(each.loaded));
  }
  const visitors = new Map([...compiled].map(([loaded, site]) => [loaded, createVisitor({ site, contact, env })]));
  const lines = new Map<string, Line>();
  for (const [index, each] of wanted.entries()) {
    if ('problem' in each) {
      settle(index, refusalOf(each));
      continue;
    }
    const visitor = visitors.get(each.loaded);
    const site = compiled.get(each.loaded);
    if (visitor === undefined || site === undefined) continue;
    const key = `${each.loaded.site.name} ${new URL(each.url).origin}`;
    const line = lines.get(key) ?? { visitor, site, entries: [] };
    line.entries.push({ index, chosen: each });
    lines.set(key, line);
  }
  try {
    await Promise.all([...lines.values()].map(async (line) => visitLine(line, settle, signal)));
  } finally {
    await Promise.all([...visitors.values()].map(async (visitor) => visitor.close()));
  }
}

/** The URLs of one origin. */
interface Line {
  readonly visitor: Visitor;
  readonly site: CompiledSite;
  readonly entries: { readonly index: number; readonly chosen: ChosenUrl }[];
}

async function visitLine(
  { visitor, site, entries }: Line,
  settle: (index: number, answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const visit = async ({ index, chosen }: Line['entries'][number]): Promise<Visit> => {
    const found = await visitor.visit(chosen.url, { signal });
    settle(index, answerOf(chosen, found));
    return found;
  };
  const [first, ...others] = entries;
  if (first === undefined) return;
  const { robots } = await visit(first);
  const delayMs = Math.min(LONGEST_DELAY_MS, (robots?.crawlDelaySeconds ?? 0) * 1000);
  const next = others.values();
  const runner = async (): Promise<void> => {
    for (const entry of next) {
      if (delayMs > 0) await sleep(delayMs, signal);
      await visit(entry);
    }
  };
  const atOnce = delayMs > 0 ? 1 : Math.min(AT_ONCE_PER_ORIGIN, site.site.pace.concurrency);
  await Promise.all(Array.from({ length: atOnce }, runner));
}
