import type { Command } from 'commander';
import { COMMON, withFlags } from '../task/command.ts';
import type { AccountOptions, PauseOptions } from './runAccount.ts';

const ABOUT = `
An account is what workers share their provider's limits by: the name of the agent, or what --account says. It rests by
itself when the provider says so (a rate limit, a login that has expired, no credit, an outage): nothing is claimed for it
until then, and no task is blamed.

Examples:
  $ stopgate account list
  $ stopgate account resume claude              somebody logged in again, or bought more
  $ stopgate account pause claude --for 2h      leave the rest of the quota to people

Exit codes:
  0 done    1 the store cannot be reached    2 wrong use`;

type SetExitCode = (code: number) => void;

/** `stopgate account …`: whose limits workers share. */
export function addAccountCommand(program: Command, setExitCode: SetExitCode): void {
  const account = program
    .command('account')
    .description('the accounts that workers share: which rest, and until when')
    .addHelpText('after', ABOUT);
  withFlags(account.command('list').description('those that ever had to rest'), COMMON).action(
    async (options: AccountOptions) => {
      const [{ runAccountList }, { runWorded }] = await load();
      setExitCode(await runWorded((world) => runAccountList(options, world)));
    },
  );
  const pause = account
    .command('pause')
    .description('let nobody of an account claim anything for a while')
    .argument('<account>', 'its name')
    .requiredOption('--for <time>', 'for how long, such as 2h');
  withFlags(pause, COMMON).action(async (name: string, options: PauseOptions) => {
    const [{ runAccountPause }, { runWorded }] = await load();
    setExitCode(await runWorded((world) => runAccountPause(name, options, world)));
  });
  const resume = account
    .command('resume')
    .description('use an account again before its time')
    .argument('<account>', 'its name');
  withFlags(resume, COMMON).action(async (name: string, options: AccountOptions) => {
    const [{ runAccountResume }, { runWorded }] = await load();
    setExitCode(await runWorded((world) => runAccountResume(name, options, world)));
  });
}

const load = () => Promise.all([import('./runAccount.ts'), import('../../wiring/store/runWorded.ts')]);
