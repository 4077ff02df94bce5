import { entry, pad } from '../terminal/columns.js';
import { plural } from '../terminal/figures.js';
import type { Finding } from './finding.js';

const MOST_DETAILS = 10;
const MARKS: Readonly<Record<Finding['level'], string>> = {
  ok: 'ok',
  warning: 'warning',
  mended: 'mended',
  violated: 'WRONG',
};
const MARK_WIDTH = 9;

/** Every finding in a line or two, then the verdict. */
export function showFindings(findings: readonly Finding[], width: number): string[] {
  const subjects = [...new Set(findings.map(({ subject }) => subject))];
  const blocks = subjects.flatMap((subject) => [
    subject,
    ...findings.filter((each) => each.subject === subject).flatMap((each) => showFinding(each, width)),
    '',
  ]);
  return [...blocks, verdict(findings)];
}

function showFinding({ level, what, details = [] }: Finding, width: number): string[] {
  const label = `  ${pad(MARKS[level], MARK_WIDTH)}`;
  const more = details.length - MOST_DETAILS;
  return [
    ...entry(label, what, { labelWidth: label.length, width }),
    ...details.slice(0, MOST_DETAILS).map((detail) => `      ${detail}`),
    ...(more > 0 ? [`      and ${plural(more, 'other')}; --json lists all`] : []),
  ];
}

function verdict(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ level }) => level === 'violated').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  const warned = warnings === 0 ? '' : ` ${plural(warnings, 'warning')}.`;
  return wrong === 0 ? `All is well.${warned}` : `${plural(wrong, 'thing is', 'things are')} wrong.${warned}`;
}
