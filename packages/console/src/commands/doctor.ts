import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('check the live keys, the servers and their settings (exit code 1 when something is wrong)')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--repair', 'mend what can be mended first, and tell what was done')
    .option('--json', 'one JSON object with every finding')
    .action(async (raw: RawOptions) => {
      const { runDoctor } = await import('../doctor/run-doctor.js');
      await runDoctor(context, new OptionReader(raw));
    });
}
