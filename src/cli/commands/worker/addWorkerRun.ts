import type { Command } from 'commander';
import type { WorkerOptions } from './workerRequest.ts';

const HELP = `
Examples:
  $ stopgate worker run -- --permission-mode acceptEdits    Claude Code, until no task came for 10 minutes
  $ stopgate worker run --agent stopgate --type critical    our own agent, 30 minutes
  $ stopgate worker run --worktrees -- --model opus         a work tree, a branch and a new agent for each task
  $ stopgate worker run --agent ./do-it.sh                  any command: its exit code settles the task

The worker waits for tasks without asking a model. An agent gets its first task as its prompt; its stop hook hands it
further ones, and waits between them. It settles them with \`stopgate task complete|fail|release\`. Headless it cannot
ask for permission: say behind -- what it may do (--permission-mode, --allowedTools), or in its settings.

Kinds: default 10 min, critical 30 min, temporary 5 min, persistent never; or any --idle-timeout.

Exit codes:
  0 let go (idle, drained)    1 somebody else has the slot    2 wrong use
  69 the store cannot be reached, or the agent cannot be started any more`;

/** `stopgate worker run`. */
export function addWorkerRun(worker: Command, setExitCode: (code: number) => void): void {
  worker
    .command('run')
    .description('one supervised worker: takes tasks, keeps its agent alive while there are some')
    .argument('[arguments...]', 'more arguments for the agent, behind --')
    .option('--agent <agent>', 'claude, stopgate, or any command', 'claude')
    .option('--type <kind>', 'how long it may be idle: default, critical, temporary, persistent', 'default')
    .option('--idle-timeout <time>', 'another limit, such as 15m, or never')
    .option('--slot <name>', 'the name of its place (host and process unless named)')
    .option('--incarnation <n>', 'the one that a coordinator reserved')
    .option('--queue <name>', 'whose tasks it takes')
    .option('--types <list>', 'only tasks of these types, with commas between')
    .option('--account <key>', 'whose rate limits it shares (the name of the agent unless named)')
    .option('--store <store>', 'a file or postgres://…')
    .option('--worktrees', 'a git work tree and branch for each attempt')
    .option('--remove-worktrees', 'take each one away when its attempt is over; what git ignores in it is gone with it')
    .option('--drain-timeout <time>', 'how long its agent may finish after SIGTERM', '10m')
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], _: unknown, command: Command) => {
      // an option that `-p` has too (--agent, --store) is read before its command is
      const options: WorkerOptions = command.optsWithGlobals();
      const [{ workerRequest }, { runWorkerCommand }] = await Promise.all([
        import('./workerRequest.ts'),
        import('./runWorkerCommand.ts'),
      ]);
      setExitCode(await runWorkerCommand(workerRequest(words, options)));
    });
}
