import type { Command } from 'commander';
import { commandRunner, type SetExitCode, withCommonOptions } from '../task/taskOptions.ts';

const ABOUT = `
Workers that share a provider's limits share an account, named by --account (default: the agent's name). An account is
paused automatically when the provider refuses work: a rate limit, an expired login, no credit, an outage. Until the pause
ends, no tasks are claimed for it, and no task counts a failure.

Examples:
  $ stopgate account list
  $ stopgate account resume claude              after logging in again or buying credit
  $ stopgate account pause claude --for 2h      leave the remaining quota to people

Exit codes:
  0 done    2 usage error    69 the store cannot be reached`;

const LIST_HELP = `
Examples:
  $ stopgate account list
  $ stopgate account list --json | jq '.accounts[] | select(.pausedUntil != null)'`;

const PAUSE_HELP = `
Examples:
  $ stopgate account pause claude --for 2h      leave the remaining quota to people
  $ stopgate account pause codex --for 1d`;

const RESUME_HELP = `
Examples:
  $ stopgate account resume claude              after logging in again or buying credit`;

/** `stopgate account …`: the provider accounts that workers share. */
export function addAccountCommand(program: Command, setExitCode: SetExitCode): void {
  const { run } = commandRunner(setExitCode);
  const load = () => import('./runAccount.ts');
  const account = program
    .command('account')
    .description('the accounts that workers share, and their pauses')
    .addHelpText('after', ABOUT);
  withCommonOptions(account.command('list').description('list accounts that have ever been paused'), LIST_HELP).action(
    run(async () => (await load()).runAccountList),
  );
  const pause = account
    .command('pause')
    .description('stop claiming tasks for an account for a while')
    .argument('<account>', 'its name')
    .requiredOption('--for <time>', 'how long, such as 2h');
  withCommonOptions(pause, PAUSE_HELP).action(run(async () => (await load()).runAccountPause));
  const resume = account.command('resume').description('end the pause of an account').argument('<account>', 'its name');
  withCommonOptions(resume, RESUME_HELP).action(run(async () => (await load()).runAccountResume));
}
