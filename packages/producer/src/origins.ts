import type { ConfigProblem } from '@dist-crawl/core/errors';

/** A problem of flags that do not go together, where `wrong`. */
export function clash(flags: string, what: string, remedy: string, wrong: boolean): ConfigProblem[] {
  return wrong ? [{ where: flags, what, expected: remedy }] : [];
}

/** Of the flags that say where URLs come from, exactly one is to be given. */
export function originProblems(origins: Readonly<Record<string, boolean>>): ConfigProblem[] {
  const flags = Object.keys(origins);
  const given = flags.filter((flag) => origins[flag] === true);
  const or = `${flags.slice(0, -1).join(', ')} or ${flags.at(-1)}`;
  return [
    ...clash(or, 'none is given', 'one of them, such as --pages 1-200', given.length === 0),
    ...clash(given.join(' and '), 'more than one is given', 'one of them; start a producer for each', given.length > 1),
  ];
}
