import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';

export function servicesCommand(context: CommandContext): Command {
  const services = new Command('services')
    .description('private Redis and MySQL in the background, for work without Docker')
    .helpCommand(false);
  services
    .command('start')
    .description('start what does not run; daemons without REDIS_URL and DATABASE_URL use them')
    .action(async () => {
      const { runStart } = await import('../services/run-services.js');
      await runStart(context);
    });
  services
    .command('stop')
    .description('stop both; their data are kept')
    .action(async () => {
      const { runStop } = await import('../services/run-services.js');
      await runStop(context);
    });
  services
    .command('status')
    .description('whether they run, and where (exit code 1 when one does not)')
    .option('--json', 'one JSON object; URLs hold the passwords')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { runServicesStatus } = await import('../services/run-services.js');
      await runServicesStatus(context, { json });
    });
  return services;
}
