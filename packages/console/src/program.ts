import { Command } from 'commander';
import { deadCommand } from './commands/dead.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { paceCommand } from './commands/pace.js';
import { pauseCommand, resumeCommand } from './commands/pause.js';
import { rebuildCommand } from './commands/rebuild.js';
import { robotsCommand } from './commands/robots.js';
import { servicesCommand } from './commands/services.js';
import { shopCommand } from './commands/shop.js';
import { sitemapCommand } from './commands/sitemap.js';
import { statusCommand } from './commands/status.js';
import { tryCommand } from './commands/try.js';
import type { CommandContext } from './setup/command-context.js';

/** All commands, in the order in which a user meets them. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('crawl')
    .description('Watch and steer a crawl: what it does, what went wrong, what a page gives.')
    .usage('<command> [flags]')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\n`crawl <command> --help` tells the flags of a command. Exit codes: 0 well, 1 not,\n69 Redis or MySQL does not answer, 78 a wrong flag, setting or site file.',
    );
  const commands = [
    demoCommand(context),
    tryCommand(context),
    robotsCommand(context),
    sitemapCommand(context),
    statusCommand(context),
    deadCommand(context),
    doctorCommand(context),
    rebuildCommand(context),
    paceCommand(context),
    pauseCommand(context),
    resumeCommand(context),
    servicesCommand(context),
    shopCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}
