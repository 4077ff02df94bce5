import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';

export function pauseCommand(context: CommandContext): Command {
  return new Command('pause')
    .description('give out no more tasks of a site, on all nodes, until `crawl resume`')
    .argument('<site>', 'name of the site')
    .option('--reason <text>', 'what `crawl status` shows', 'paused by hand')
    .action(async (name: string, { reason }: { reason: string }) => {
      const { runPause } = await import('../pause/run-pause.js');
      await runPause(context, name, reason);
    });
}

export function resumeCommand(context: CommandContext): Command {
  return new Command('resume')
    .description('end a pause of a site, made by hand or by the site itself')
    .argument('<site>', 'name of the site')
    .action(async (name: string) => {
      const { runResume } = await import('../pause/run-pause.js');
      await runResume(context, name);
    });
}
