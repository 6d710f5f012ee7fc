import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate simulate -n 4 --arrivals poisson:10/h --task-length exp:12m
  $ stopgate simulate -n 8 --arrivals daily:200 --for 7d --compare idle-timeout=5m,10m,30m --cost-per-hour 0.40
  $ stopgate simulate --arrivals burst:500,every:6h --compare workers=2,4,8,16
  $ stopgate simulate -n 6 --fail 5% --crash 1% --rate-limit every:2h,for:20m
  $ stopgate simulate -n 10000 --tasks 1000000 --arrivals poisson:45000/h --json

Arrivals:      poisson:10/h (also /s /m /d) · every:5m · burst:200 · burst:200,every:6h · daily:200 (mostly in the
               afternoon) · FILE with one time per line: ISO times, or seconds from the start
Task lengths:  exp:12m (the mean) · uniform:1m-30m · lognormal:10m,1.2 (median and sigma) · fixed:5m
Compare:       one of the options above with several values, separated by commas (or by ; if a value contains commas)

The simulation uses the decisions of the real fleet: when a worker may stop, when a failed or lost task is retried, when a
slot is filled again. Workers start when tasks are waiting and stop at their idle limit. A task restarts from the beginning
after a crash, and continues after a rate limit. With the same seed, every alternative gets the same tasks.`;

export function addSimulateCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('simulate')
    .description('simulate a fleet: waiting times and idle cost for a number of workers and an idle limit')
    .option('-n, --workers <n>', 'the most workers to run', '4')
    .option('--min-workers <n>', 'the fewest workers to run, even without tasks', '0')
    .option(
      '--kind <kind>',
      'default, critical, temporary or persistent; or a mix such as critical:2,default:6',
      'default',
    )
    .option('--idle-timeout <time>', "how long a worker may be idle, or never (default: the kind's limit)")
    .option('--start-up <time>', 'how long a worker takes to start', '20s')
    .option('--arrivals <pattern>', 'when tasks arrive', 'poisson:10/h')
    .option('--task-length <pattern>', 'how long they take', 'exp:12m')
    .option('--for <time>', 'how long tasks arrive (default: 24h)')
    .option('--tasks <n>', 'how many tasks arrive')
    .option('--fail <percent>', 'the share of attempts that fail', '0%')
    .option('--crash <percent>', 'the share of attempts in which the worker crashes', '0%')
    .option('--rate-limit <pattern>', 'pauses of the account, such as every:2h,for:20m')
    .option('--tick <time>', 'how often the coordinator checks the fleet', '5s')
    .option('--detect <how>', 'how it detects dead workers: process or heartbeat', 'process')
    .option('--cost-per-hour <amount>', 'of a running worker')
    .option('--compare <option=values>', 'a table of alternatives, such as workers=2,4,8')
    .option('--seed <n>', 'of the random numbers', '1')
    .option('--json', 'machine-readable output')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runSimulate.ts')).runSimulate));
}
