import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { collect, OptionReader, type RawOptions } from '../setup/option-values.js';
import { SHOP_DEFAULTS } from '../shop/shop-defaults.js';

export function shopCommand(context: CommandContext): Command {
  return new Command('shop')
    .description('run the demo shop until Ctrl-C')
    .option('--port <n>', `port on 127.0.0.1 (default: ${SHOP_DEFAULTS.port}; 0: any free one)`)
    .option('--pages <n>', `list pages (default: ${SHOP_DEFAULTS.pages})`)
    .option('--seed <n>', `another seed is another shop (default: ${SHOP_DEFAULTS.seed})`)
    .option('--faults', 'misbehave now and then: errors, resets and slow answers that pass')
    .option(
      '--fault <fault>',
      'misbehave in one way, such as server-error:0.1:always; may be given more than once',
      collect,
    )
    .option('--verbose', 'tell each request')
    .addHelpText(
      'after',
      '\nA fault is <kind>[:<share of pages>[:<attempts>|always|each]]; a wrong one is\nanswered with all kinds there are.',
    )
    .action(async (raw: RawOptions) => {
      const { runShop } = await import('../shop/run-shop.js');
      await runShop(context, new OptionReader(raw));
    });
}
