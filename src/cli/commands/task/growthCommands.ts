import type { Command } from 'commander';
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
  const schedules = task
    .command('schedules')
    .description('list recurring tasks, or pause, resume and remove them')
    .addHelpText('after', SCHEDULES_HELP);
  const load = () => import('./schedule/runSchedules.ts');
  withCommonOptions(
    schedules.command('list', { isDefault: true }).description('list recurring tasks and when they are due'),
    SCHEDULES_HELP,
  ).action(run(async () => (await load()).runScheduleList));
  for (const [change, about] of SCHEDULE_CHANGES) {
    const command = schedules.command(change).description(about).argument('<id...>', 'ids, or their beginnings');
    withCommonOptions(command, SCHEDULES_HELP).action(run(async () => (await load()).runScheduleChange(change)));
  }
}

export function addLimitCommand(task: Command, { run }: CommandRunner): void {
  const limit = task
    .command('limit')
    .description('limit how many tasks of a queue are in progress at the same time, or show all limits')
    .argument('[queue]', 'its name')
    .argument('[n]', 'how many, or none for no limit');
  withCommonOptions(limit, LIMIT_HELP).action(run(async () => (await import('./limit/runLimit.ts')).runLimit));
}

const SCHEDULES_HELP = `
Examples:
  $ stopgate task add "nightly check" --cron "0 3 * * *" --timezone Europe/Berlin
  $ stopgate task add "look for new issues" --every 6h
  $ stopgate task schedules
  $ stopgate task schedules pause k3v9
  $ stopgate task schedules remove k3v9

Workers and coordinators of the store add the task when it is due, by the store's clock, each due time once. Times that
pass while none of them runs are made up for by one task. A due time is skipped while the task of the one before is
unfinished, unless the schedule was added with --overlap. Both are recorded as events.

Exit codes:
  0 done, or already so    1 there is no such schedule    2 usage error`;

const LIMIT_HELP = `
Examples:
  $ stopgate task limit                            every limit, and what is in progress
  $ stopgate task limit nightly 2                  at most two tasks of this queue together
  $ stopgate task limit nightly none

A task is in progress while a worker has it or while it is being verified. Tasks that are claimed already stay claimed.
For tasks that must not run together wherever they are queued, use a key: stopgate task add --concurrency-key repo:web.`;
