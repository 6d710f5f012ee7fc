import type { Command } from 'commander';
import * as help from './growthHelp.ts';
import { type commandRunner, withCommonOptions } from './taskOptions.ts';

type CommandRunner = ReturnType<typeof commandRunner>;

/** How many tasks may be in progress at the same time. */
export const withLimitOptions = (command: Command): Command =>
  command
    .option(
      '--concurrency-key <key>',
      'of the tasks with this key, only some are in progress at the same time, in all queues',
    )
    .option('--concurrency <n>', 'how many of them (default: 1)');

/** When a task is added again and again. */
export const withScheduleOptions = (command: Command): Command =>
  command
    .option('--cron <expression>', 'add it at each of these times, such as "0 3 * * *" or @daily')
    .option('--every <time>', 'add it again and again after this time, such as 6h; first after that time')
    .option('--timezone <zone>', 'of --cron, such as Europe/Berlin (default: UTC)')
    .option('--overlap', 'with --cron or --every: add it although the one before is unfinished');

const SCHEDULE_CHANGES = [
  ['pause', 'stop adding tasks of schedules'],
  ['resume', 'add tasks of paused schedules again, from their next due time on'],
  ['remove', 'remove schedules; their tasks stay'],
] as const;

export function addScheduleCommands(task: Command, { run }: CommandRunner): void {
  const schedules = task.command('schedules').description('list recurring tasks, or pause, resume and remove them');
  const load = () => import('./schedule/runSchedules.ts');
  withCommonOptions(
    schedules.command('list', { isDefault: true }).description('list recurring tasks and when they are due'),
    help.SCHEDULES_HELP,
  ).action(run(async () => (await load()).runScheduleList));
  for (const [change, about] of SCHEDULE_CHANGES) {
    const command = schedules.command(change).description(about).argument('<id...>', 'ids, or their beginnings');
    withCommonOptions(command, help.SCHEDULES_HELP).action(run(async () => (await load()).runScheduleChange(change)));
  }
}

export function addLimitCommand(task: Command, { run }: CommandRunner): void {
  const limit = task
    .command('limit')
    .description('limit how many tasks of a queue are in progress at the same time, or show all limits')
    .argument('[queue]', 'its name')
    .argument('[n]', 'how many, or none for no limit');
  withCommonOptions(limit, help.LIMIT_HELP).action(run(async () => (await import('./limit/runLimit.ts')).runLimit));
}
