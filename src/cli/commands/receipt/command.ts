import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate receipt                               the latest session of this folder
  $ stopgate receipt 3f2a --markdown | gh pr comment --body-file -
  $ stopgate receipt show 01JC… --json > receipt.json      of a task: what its last worker's session claimed and proved
  $ stopgate receipt verify receipt.json           exit 0: as signed; 1: changed, and what
  $ stopgate receipt key                           the public key that receipts of this machine are signed with

A receipt says who wanted to stop, what it claimed, which checks ran on which files, and what was not proven. The signature shows that
nothing was changed afterwards. The key is a file of this user: a process of the same user could sign as well (docs/records.md).`;

const VERIFY_HELP = `
Examples:
  $ stopgate receipt verify receipt.json
  $ stopgate receipt verify comment.md --key "$(cat their.key)"
  $ stopgate receipt --json | stopgate receipt verify -

Exit codes:
  0 as it was signed    1 changed, or signed with another key    2 usage error`;

const KEY_HELP = `
Examples:
  $ stopgate receipt key > their.key`;

export function addReceiptCommand(program: Command, setExitCode: SetExitCode): void {
  const receipt = program
    .command('receipt')
    .description('show what a session claimed at its stop and what was proven, signed; or verify a receipt')
    .addHelpText('after', EXAMPLES);
  receipt
    .command('show', { isDefault: true })
    .description('the receipt of a session or a task (default: the latest session of this folder)')
    .argument('[session]', 'the id of a session or a task, or its first characters')
    .option('--markdown', 'for a pull request; it contains the signed receipt')
    .option('--json', 'the signed receipt, as it is verified')
    .option('--store <place>', 'where a task is: a file or postgres://… (default: STOPGATE_STORE)')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runReceipt.ts')).runReceipt));
  receipt
    .command('verify')
    .description('check that a receipt is as it was signed: exit 0, or 1 with what was changed')
    .argument('<file>', 'JSON or Markdown of `stopgate receipt`; - reads stdin')
    .option('--key <public key>', 'also require this key, as `stopgate receipt key` prints it')
    .option('--json', 'print JSON')
    .addHelpText('after', VERIFY_HELP)
    .action(bodyRunner(setExitCode, async () => (await import('./runVerify.ts')).runVerify));
  receipt
    .command('key')
    .description('print the public key of this user on this machine')
    .option('--json', 'print JSON')
    .addHelpText('after', KEY_HELP)
    .action(bodyRunner(setExitCode, async () => (await import('./runVerify.ts')).runKey));
}
