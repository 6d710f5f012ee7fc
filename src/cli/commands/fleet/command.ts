import type { Command } from 'commander';
import { commandRunner, type SetExitCode, withCommonOptions } from '../task/taskOptions.ts';
import { withAgentOptions } from '../worker/command.ts';

const FLEET_HELP = `
Examples:
  $ stopgate fleet up -n 4 --worktrees -- --permission-mode acceptEdits
  $ stopgate fleet status --watch                  in another terminal
  $ stopgate fleet down`;

const UP_HELP = `
Examples:
  $ stopgate fleet up -n 4 -- --permission-mode acceptEdits  Claude Code, one per waiting task, at most 4
  $ stopgate fleet up -n 4 --min 1 --worktrees -- --model opus --allowedTools "Edit,Bash(npm test *)"
  $ stopgate fleet up -n 8 --agent stopgate --type critical --queue review
  $ stopgate fleet up -n 2 --agent "codex exec" --json | jq -c 'select(.type == "ended")'

Up to 50 workers share a process (--slots); it survives a killed coordinator, and the next one adopts its workers. Several coordinators of one
fleet act as one. Worker output is in ~/.stopgate/fleet/WORKER.log. Headless agents cannot ask for permission: grant it
after --, or in their settings.

SIGTERM and Ctrl-C drain the fleet: idle workers end, and busy ones may finish within --drain-timeout; then they are ended
and their tasks are requeued without a failure. A second signal shortens that to 10s.

Exit codes:
  0 everything was shut down    1 something is still running    2 usage error    69 the store cannot be reached`;

const STATUS_HELP = `
Examples:
  $ stopgate fleet status
  $ stopgate fleet status --watch                full screen: live output, pause, cancel, requeue; ? lists the keys
  $ stopgate fleet status --watch --plain        the page below every second, without keys
  $ stopgate fleet status --json | jq '.workers[] | {id, shownStatus, taskTitle}'

BEAT: time since the last heartbeat of its process. ACTIVE: time since its agent last did something. IDLE: time without a
task, and the limit. BLOCKS: blocked stops since its last tool use, and the number at which its task is given up.

On a terminal, --watch shows workers and tasks with what they do now, why they wait, the time left of a task (LEFT), its
try, and what its agent spent where that is known (our own agent on this host). Changes go through the commands of the
same names (task cancel, redrive, hold, unhold, pause, resume; account pause, resume): agents may not make them. Without a
terminal, with TERM=dumb or --plain, it prints pages; with --json, one line per second.`;

const DOWN_HELP = `
Examples:
  $ stopgate fleet down                          on this host; waits until everything is shut down
  $ stopgate fleet down --drain-timeout 10s      busy workers release their tasks

Exit codes:
  0 nothing is left running    1 something is    2 usage error`;

export function addFleetCommand(program: Command, setExitCode: SetExitCode): void {
  const { run, runInterruptibly } = commandRunner(setExitCode);
  const fleet = program
    .command('fleet')
    .description('start, watch and replace workers as tasks need them')
    .addHelpText('after', FLEET_HELP);
  const up = fleet
    .command('up')
    .description('run a fleet of workers until a signal')
    .option('-n, --workers <n>', 'the most workers to run', '4')
    .option('--min <n>', 'the fewest workers to run, even without tasks', '0');
  withAgentOptions(up)
    .option('--name <name>', 'of the fleet; coordinators with the same name act as one (default: machine and queue)')
    .option('--drain-timeout <time>', 'how long busy workers may take to finish at shutdown (default: 10m)')
    .option('--slots <n>', 'the most workers of one process; 1: a process for each (default: 50)')
    .option('--ignore-load', 'start workers even if memory or processors are short')
    .option('--json', 'one line of JSON per event')
    .addHelpText('after', UP_HELP)
    .action(run(async () => (await import('./runFleetUp.ts')).runFleetUp));
  const status = fleet
    .command('status')
    .description('show workers, tasks, pauses, the leader and the latest events')
    .option('--watch', 'a full-screen view with keys on a terminal, else a new page every second')
    .option('--plain', 'with --watch: redraw text every second, without keys')
    .option('--queue <name>', 'only this queue');
  withCommonOptions(status, STATUS_HELP).action(
    runInterruptibly(async () => (await import('./status/runFleetStatus.ts')).runFleetStatus),
  );
  fleet
    .command('down')
    .description('drain every fleet on this host and wait until it is done')
    .option('--name <name>', 'only this fleet')
    .option('--drain-timeout <time>', 'how long busy workers may take to finish (default: 10m)')
    .option('--store <place>', 'a file or postgres://… (default: STOPGATE_STORE)')
    .option('--json', 'one line of JSON per event')
    .addHelpText('after', DOWN_HELP)
    .action(run(async () => (await import('./runFleetDown.ts')).runFleetDown));
}
