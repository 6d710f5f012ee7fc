import type { Command } from 'commander';
import type { SimulateOptions } from './simulateOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate simulate -n 4 --arrivals poisson:10/h --task-length exp:12m
  $ stopgate simulate -n 8 --arrivals daily:200 --for 7d --compare idle-timeout=5m,10m,30m --cost-per-hour 0.40
  $ stopgate simulate --arrivals burst:500,every:6h --compare workers=2,4,8,16
  $ stopgate simulate -n 6 --fail 5% --crash 1% --rate-limit every:2h,for:20m
  $ stopgate simulate -n 10000 --tasks 1000000 --arrivals poisson:45000/h --json

Arrivals:      poisson:10/h (also /s /m /d) · every:5m · burst:200 · burst:200,every:6h · daily:200 (most of them in the
               afternoon) · FILE with one moment a line: ISO times, or seconds from the start
Task lengths:  exp:12m (the mean) · uniform:1m-30m · lognormal:10m,1.2 (median and sigma) · fixed:5m
Compare:       one of the options above with several values, separated by commas (by ; where a value has commas)

The decisions are those of the real fleet: when a worker may stop, what becomes of a task that failed or lost its worker,
when a slot is filled again. Workers start when tasks wait and stop at their idle limit. What a crash had done is done
again; after a rate limit only the rest is. The same seed gives the same tasks to every alternative.`;

export function addSimulateCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('simulate')
    .description('how a fleet would do: waiting time and idle cost for a number of workers and an idle limit')
    .option('-n, --workers <n>', 'how many may run at once', '4')
    .option('--min-workers <n>', 'how many run even when there is nothing to do', '0')
    .option('--kind <kind>', 'default, critical, temporary or persistent; a mix as critical:2,default:6', 'default')
    .option('--idle-timeout <time>', "how long a worker may find nothing to do, or never (the kind's own)")
    .option('--start-up <time>', 'from the start of a worker until it takes tasks', '20s')
    .option('--arrivals <pattern>', 'when tasks come', 'poisson:10/h')
    .option('--task-length <pattern>', 'how long they take', 'exp:12m')
    .option('--for <time>', 'how long tasks come (24h)')
    .option('--tasks <n>', 'how many tasks come')
    .option('--fail <percent>', 'of attempts, how many fail', '0%')
    .option('--crash <percent>', 'of attempts, in how many the worker dies', '0%')
    .option('--rate-limit <pattern>', 'pauses of the account, as every:2h,for:20m')
    .option('--tick <time>', 'how often the coordinator looks', '5s')
    .option('--detect <how>', 'how it finds dead workers: process or heartbeat', 'process')
    .option('--cost-per-hour <amount>', 'of a worker that runs')
    .option('--compare <option=values>', 'a table of alternatives, such as workers=2,4,8')
    .option('--seed <n>', 'of chance', '1')
    .option('--json', 'for scripts')
    .addHelpText('after', EXAMPLES)
    .action(async (options: SimulateOptions) => {
      const { runSimulate } = await import('./runSimulate.ts');
      setExitCode(await runSimulate(options));
    });
}
