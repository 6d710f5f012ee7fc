import type { Command } from 'commander';
import type { FleetUpOptions } from './fleetRequest.ts';
import type { FleetDownOptions } from './runFleetDown.ts';
import type { FleetStatusOptions } from './status/runFleetStatus.ts';

const UP_HELP = `
Examples:
  $ stopgate fleet up -n 4 -- --permission-mode acceptEdits  Claude Code, as many as tasks wait for, at most 4
  $ stopgate fleet up -n 4 --min 1 --worktrees -- --model opus --allowedTools "Edit,Bash(npm test *)"
  $ stopgate fleet up -n 8 --agent stopgate --type critical --queue review
  $ stopgate fleet up -n 2 --agent "codex exec" --json | jq -c 'select(.type == "ended")'

Workers are processes of their own and live on when the coordinator is killed; the next one finds them again. Several
coordinators of one fleet do what one does. Their output is in ~/.stopgate/fleet/WORKER.log. Headless, agents cannot ask
for permission: say behind -- what they may do, or in their settings.

SIGTERM and Ctrl-C drain: idle workers end, busy ones may finish within --drain-timeout, then they are ended and their
tasks go back without blame. A second signal shortens that to 10 s.

Exit codes:
  0 everything was put down    1 something was left running, or the store cannot be reached    2 wrong use`;

const STATUS_HELP = `
Examples:
  $ stopgate fleet status
  $ stopgate fleet status --watch
  $ stopgate fleet status --json | jq '.workers[] | {id, shownStatus, taskTitle}'

BEAT: when its process was last heard of. ACTIVE: when its agent last did something. IDLE: how long it has had no task,
of how long it may. BLOCKS: how often its stop was blocked since it last used a tool, of how often before its task is given up.`;

const DOWN_HELP = `
Examples:
  $ stopgate fleet down                          of this host; waits until everything is put down
  $ stopgate fleet down --drain-timeout 10s      busy workers hand their tasks back

Exit codes:
  0 nothing is left running    1 something is    2 wrong use`;

type SetExitCode = (code: number) => void;

/** `stopgate fleet …`: each subcommand is one function here. */
export function addFleetCommand(program: Command, setExitCode: SetExitCode): void {
  const fleet = program
    .command('fleet')
    .description('workers that are started, watched and replaced as tasks need them');
  addUp(fleet, setExitCode);
  addStatus(fleet, setExitCode);
  addDown(fleet, setExitCode);
}

function addUp(fleet: Command, setExitCode: SetExitCode): void {
  fleet
    .command('up')
    .description('look after a fleet of workers until a signal')
    .argument('[arguments...]', 'more arguments for the agent, behind --')
    .option('-n, --workers <n>', 'how many may run at once', '4')
    .option('--min <n>', 'how many run even when there is nothing to do', '0')
    .option('--agent <agent>', 'claude, stopgate, or any command', 'claude')
    .option('--type <kind>', 'how long one may be idle: default, critical, temporary, persistent', 'default')
    .option('--idle-timeout <time>', 'another limit, such as 15m, or never')
    .option('--queue <name>', 'whose tasks they take')
    .option('--types <list>', 'only tasks of these types, with commas between')
    .option('--store <place>', 'a file or postgres://… (else STOPGATE_STORE)')
    .option('--account <key>', 'whose rate limits they share (the name of the agent unless named)')
    .option('--name <name>', 'of the fleet; two of the same name are one (host and queue unless named)')
    .option('--worktrees', 'a git work tree and branch for each attempt')
    .option('--remove-worktrees', 'take each one away when its attempt is over; what git ignores in it is gone with it')
    .option('--drain-timeout <time>', 'how long busy workers may finish when it goes down (10m)')
    .option('--ignore-load', 'start workers also where memory or processors are short')
    .option('--json', 'one line of JSON an event')
    .addHelpText('after', UP_HELP)
    .action(async (words: readonly string[], _own: object, command: Command) => {
      // a prompt has a --name too, and commander gives that to the outer command
      const options: FleetUpOptions = command.optsWithGlobals();
      const [{ fleetRequest }, { runFleetUp }, { runWorded }] = await Promise.all([
        import('./fleetRequest.ts'),
        import('./runFleetUp.ts'),
        import('../../wiring/store/runWorded.ts'),
      ]);
      const request = fleetRequest(words, options);
      setExitCode(await runWorded((world) => runFleetUp(request, world)));
    });
}

function addStatus(fleet: Command, setExitCode: SetExitCode): void {
  fleet
    .command('status')
    .description('workers, tasks, pauses, leader and last events at one look')
    .option('--watch', 'draw it again every second')
    .option('--queue <name>', 'only of this queue')
    .option('--store <place>', 'a file or postgres://… (else STOPGATE_STORE)')
    .option('--json', 'for scripts; nothing is cut')
    .addHelpText('after', STATUS_HELP)
    .action(async (options: FleetStatusOptions) => {
      const [{ runFleetStatus }, { runWaiting }] = await Promise.all([
        import('./status/runFleetStatus.ts'),
        import('../../wiring/store/runWorded.ts'),
      ]);
      setExitCode(await runWaiting((world, signal) => runFleetStatus(options, { world, signal })));
    });
}

function addDown(fleet: Command, setExitCode: SetExitCode): void {
  fleet
    .command('down')
    .description('drain every fleet of this host, and wait for that')
    .option('--name <name>', 'only this fleet')
    .option('--drain-timeout <time>', 'how long busy workers may finish (10m)')
    .option('--store <place>', 'a file or postgres://… (else STOPGATE_STORE)')
    .option('--json', 'one line of JSON an event')
    .addHelpText('after', DOWN_HELP)
    .action(async (_own: object, command: Command) => {
      const options: FleetDownOptions = command.optsWithGlobals();
      const [{ runFleetDown }, { runWorded }] = await Promise.all([
        import('./runFleetDown.ts'),
        import('../../wiring/store/runWorded.ts'),
      ]);
      setExitCode(await runWorded((world) => runFleetDown(options, world)));
    });
}
