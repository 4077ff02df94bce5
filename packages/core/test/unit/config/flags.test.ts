import { Command } from 'commander';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { checkedValues, defineFlags, readFlags } from '../../../src/config/flags.js';
import { HelpRequested, runProgram } from '../../../src/config/program.js';
import { matching, wholeNumber } from '../../../src/config/value-kinds.js';
import { ConfigError } from '../../../src/errors/index.js';

const definition = defineFlags({
  usage: 'producer',
  about: 'Queues pages.',
  specs: {
    pages: { syntax: '--pages <ranges>', doc: 'pages', value: matching(/^\d+-\d+$/u, 'a range such as 1-200') },
    batch: { syntax: '-b, --batch-size <n>', doc: 'batch', value: wholeNumber(1, 10) },
    dryRun: { syntax: '--dry-run', doc: 'print only' },
  },
  after: 'Example: producer --pages 1-200',
});

describe('readFlags', () => {
  test('gives typed values, also behind the -- that pnpm hands on', () => {
    const { values, problems } = readFlags(definition, ['--', '--pages', '1-200', '-b', '3']);
    expect(problems).toEqual([]);
    expect(values).toEqual({ pages: '1-200', batch: 3, dryRun: false });
    expectTypeOf(values.batch).toEqualTypeOf<number | undefined>();
    expectTypeOf(values.dryRun).toEqualTypeOf<boolean>();
  });

  test('nothing given', () => {
    expect(readFlags(definition, []).values).toEqual({ pages: undefined, batch: undefined, dryRun: false });
  });

  test('tells every problem: unknown flags with the one that was meant, wrong values, stray words', () => {
    const { problems } = readFlags(definition, ['stray', '--pages', 'x', '--dry-rum', '--batch-size=99', '--zzz=1']);
    expect(problems).toEqual([
      { where: "'stray'", what: 'not a flag', expected: 'flags only' },
      { where: '--dry-rum', what: 'unknown flag', expected: '--dry-run' },
      { where: '--zzz', what: 'unknown flag', expected: 'one of --pages, --batch-size, --dry-run' },
      { where: '--pages', what: "'x'", expected: 'a range such as 1-200' },
      { where: '--batch-size', what: '99 is out of range', expected: 'a whole number from 1 to 10' },
    ]);
  });

  test('a flag without its value is a problem', () => {
    const flags = readFlags(definition, ['--pages']);
    expect(flags.problems).toEqual([{ where: '--pages', what: 'no value', expected: '--pages <ranges>' }]);
    expect(() => checkedValues(flags)).toThrow(ConfigError);
  });

  test.each(['--help', '-h'])('%s gives the help text', (flag) => {
    expect(() => readFlags(definition, [flag])).toThrow(
      expect.objectContaining({
        name: 'HelpRequested',
        text: expect.stringMatching(
          /Usage: producer \[flags\][\s\S]*--pages <ranges>[\s\S]*--help[\s\S]*Example/u,
        ) as string,
      }),
    );
  });
});

async function run(...argv: string[]): Promise<unknown> {
  const program = new Command('crawl');
  program
    .command('status')
    .option('--watch')
    .option('--every <s>')
    .action(() => undefined);
  program
    .command('try')
    .argument('<url>')
    .action(() => undefined);
  return runProgram(program, argv).catch((error: unknown) => error);
}

describe('runProgram', () => {
  test('runs the command', async () => {
    expect(await run('--', 'status', '--watch')).toBeUndefined();
  });

  test.each([
    [['stats'], { where: 'stats', what: 'unknown command', expected: 'status' }],
    [['status', '--wach'], { where: '--wach', what: 'unknown flag', expected: '--watch' }],
    [['status', '--every'], { where: '--every', what: 'no value', expected: '--every <s>' }],
    [['try'], { where: 'url', what: 'no value', expected: 'url' }],
    [['status', 'a'], { where: 'command line', what: expect.stringContaining('too many arguments') as string }],
  ])('crawl %j is a problem', async (argv, problem) => {
    const error = await run(...argv);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems).toEqual([expect.objectContaining(problem)]);
  });

  test.each([[['--help']], [['help']], [['status', '--help']], [[]]])('crawl %j shows help', async (argv) => {
    const error = await run(...argv);
    expect(error).toBeInstanceOf(HelpRequested);
    expect((error as HelpRequested).text).toContain('Usage: crawl');
  });
});
