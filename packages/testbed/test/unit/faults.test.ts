import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { chooseFault, type FaultInput, faultsSchema, type FaultTarget } from '../../src/shop/faults.js';

const list = (number: number, attempt = 1): FaultTarget => ({ kind: 'list', number, category: 0, attempt });

function hitPages(input: readonly FaultInput[], seed: number, attempt = 1): number[] {
  const faults = faultsSchema.parse(input);
  const pages = Array.from({ length: 2_000 }, (_, index) => index + 1);
  return pages.filter((page) => chooseFault(faults, seed, list(page, attempt)) !== null);
}

describe('chooseFault', () => {
  test('hits about the asked share of pages, the same ones each time, others with another seed', () => {
    const hit = hitPages([{ kind: 'server-error', rate: 0.1 }], 1);
    expect(hit.length).toBeGreaterThan(140);
    expect(hit.length).toBeLessThan(260);
    expect(hitPages([{ kind: 'server-error', rate: 0.1 }], 1)).toEqual(hit);
    expect(hitPages([{ kind: 'server-error', rate: 0.1 }], 2)).not.toEqual(hit);
  });

  test('lets a page pass after its first k attempts', () => {
    const faults: FaultInput[] = [{ kind: 'server-error', rate: 0.1, attempts: 2 }];
    expect(hitPages(faults, 1, 2)).toEqual(hitPages(faults, 1, 1));
    expect(hitPages(faults, 1, 3)).toEqual([]);
  });

  test('keeps a lasting fault, and draws anew where each attempt counts', () => {
    const lasting: FaultInput[] = [{ kind: 'not-found', rate: 0.1, attempts: 'always' }];
    expect(hitPages(lasting, 1, 99)).toEqual(hitPages(lasting, 1, 1));
    const drawn: FaultInput[] = [{ kind: 'not-found', rate: 0.1, attempts: 'each' }];
    expect(hitPages(drawn, 1, 2)).not.toEqual(hitPages(drawn, 1, 1));
    expect(hitPages(drawn, 1, 2).length).toBeGreaterThan(140);
  });

  test('hits listed pages only, on the kind of page that was named', () => {
    const faults = faultsSchema.parse([{ kind: 'not-found', pages: [7, 9], attempts: 'always' }]);
    expect(hitPages([{ kind: 'not-found', pages: [7, 9], attempts: 'always' }], 1)).toEqual([7, 9]);
    expect(chooseFault(faults, 1, { kind: 'detail', number: 7, category: 0, attempt: 1 })).toBeNull();
    expect(chooseFault(faults, 1, { kind: 'other', number: 7, category: 0, attempt: 1 })).toBeNull();
  });

  test('two faults of one rate hit different pages', () => {
    const one = hitPages([{ kind: 'slow', rate: 0.1 }], 1);
    const both = hitPages(
      [
        { kind: 'slow', rate: 0.1 },
        { kind: 'drip', rate: 0.1 },
      ],
      1,
    );
    expect(both.length).toBeGreaterThan(one.length + 100);
  });

  test('depends on its arguments alone', () => {
    const faults = faultsSchema.parse([{ kind: 'slow', rate: 0.5, attempts: 'each', on: 'any' }]);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (seed, number, attempt) => {
        const target: FaultTarget = { kind: 'detail', number, category: 0, attempt };
        expect(chooseFault(faults, seed, target)).toBe(chooseFault(faults, seed, { ...target }));
      }),
    );
  });

  test('refuses what is no fault', () => {
    expect(() => faultsSchema.parse([{ kind: 'flood' }])).toThrow();
    expect(() => faultsSchema.parse([{ kind: 'slow', rate: 2 }])).toThrow();
    expect(() => faultsSchema.parse([{ kind: 'slow', ratio: 1 }])).toThrow();
  });
});
