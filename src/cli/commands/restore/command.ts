import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate restore                          list the kept states
  $ stopgate restore 1a2b3c4d --dry-run       show what would change; --diff shows every line
  $ stopgate restore 1a2b3c4d                 restore it
  $ stopgate restore 1a2b3c4d -- src/a.ts     only this file, even if it has changed since
  $ stopgate restore 1a2b3c4d~1               the state kept before it, such as at an earlier warning

Only files that the kept state had changed are restored, and only if they are still as they were before that change.
A file that has changed since is listed and left alone, unless you add --force or its name after --. Files that were
committed or created since are never touched, nor is the index. Before anything changes, the current state is kept too,
and the command that undoes the restore is printed.

States older than 30 days are removed by the next launch; "keepWork": "90d" (or "forever") in ~/.claude/settings.json
changes that.

Exit codes:
  0 restored, or nothing to do    1 some files were left alone, or it failed    2 usage error`;

export function addRestoreCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('restore')
    .description('list the work that was kept, or restore it without touching later work')
    .argument('[id]', 'the state; the beginning of its id is enough')
    .argument('[paths...]', 'only these files or folders, after --')
    .option('--dry-run', 'only show what would change')
    .option('--diff', 'show every line that changes')
    .option('--force', 'overwrite files that have changed since; their current content is kept')
    .option('--json', 'machine-readable output')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runRestore.ts')).runRestore));
}
