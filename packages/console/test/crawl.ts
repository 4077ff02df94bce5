import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HelpRequested, runProgram } from '@dist-crawl/core/config';
import { ConfigError, exitCodeOf, UnavailableError } from '@dist-crawl/core/errors';
import { formatProblems } from '@dist-crawl/core/runtime';
import { createProgram } from '../src/program.js';

/** What a command wrote, and how the process would have ended. */
export interface CrawlResult {
  readonly code: number;
  readonly out: readonly string[];
  readonly notes: readonly string[];
}

/** Runs the command in this process, with a terminal of 80 columns that nobody watches. */
export async function crawl(args: readonly string[], signal = new AbortController().signal): Promise<CrawlResult> {
  const out: string[] = [];
  const notes: string[] = [];
  let code = 0;
  const terminal = {
    print: (line: string) => void out.push(line),
    note: (line: string) => void notes.push(line),
    write: (text: string) => void out.push(text),
    interactive: false,
    columns: 80,
    rows: Number.POSITIVE_INFINITY,
  };
  const exitWith = (given: number): void => {
    code = given;
  };
  try {
    await runProgram(createProgram({ terminal, signal, exitWith }), args);
  } catch (error) {
    if (error instanceof HelpRequested) return { code: 0, out: error.text.trimEnd().split('\n'), notes };
    if (error instanceof ConfigError)
      return { code: 78, out, notes: formatProblems(error.problems).trimEnd().split('\n') };
    if (error instanceof UnavailableError) return { code: exitCodeOf(error), out, notes: [error.message] };
    throw error;
  }
  return { code, out, notes };
}

/** A project root with site files, for CRAWL_HOME. */
export function makeHome(sites: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'crawl-home-'));
  for (const [name, text] of Object.entries(sites)) writeFileSync(join(home, name), text);
  return home;
}
