import type { TerminalSession } from '../terminalSession.ts';

// A child process of a session counts as its agent's, and may do neither: these run here, where the person types.

/** Its questions need the terminal. */
export async function reviewTrust(session: TerminalSession): Promise<void> {
  const { runTrust } = await import('../../trust/runTrust.ts');
  const code = await session.view.without(() => runTrust(undefined, {}));
  if (code !== 0) return;
  await session.opened.trustChanged();
  session.print(['What was approved holds from now on; settings from the next session on.']);
}

/** A person's decision about this session. */
export async function waiveCheck(session: TerminalSession, argument: string): Promise<void> {
  const [, check = '', reason = ''] = /^(\S+)\s+(.+)$/s.exec(argument) ?? [];
  const names = session.opened.armed.checks;
  if (check === '' || !names.includes(check)) {
    const list = names.length === 0 ? 'this session has no checks' : `the checks are ${names.join(', ')}`;
    return session.print([
      `Write a check and the reason after it, for example /waive tests fails on main too (${list}).`,
    ]);
  }
  await session.prompts.begun;
  const { runWaive } = await import('../../waive/runWaive.ts');
  await session.view.without(() => runWaive(session.id, { check, reason }));
  session.print([`${check} is waived in this session: ${reason}`]);
}
