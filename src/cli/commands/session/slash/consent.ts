import type { SessionControls } from '../sessionControls.ts';

// A child process of a session counts as its agent's, and may do neither: these run here, where the person types.

/** Its questions need the terminal. */
export async function reviewTrust(session: SessionControls): Promise<void> {
  const { runTrust } = await import('../../trust/runTrust.ts');
  const code = await session.view.without(() => runTrust(undefined, {}));
  if (code !== 0) return;
  // checks and settings are decided when a session opens
  const { length } = session.opened.params.history;
  const hasBegun = session.hasTalked || length > 0;
  session.print(['What was approved holds from now on: the session is opened again with it.']);
  session.leave(hasBegun ? { type: 'resume', id: session.id } : { type: 'clear' });
}

/** A person's decision about this session. */
export async function waiveCheck(session: SessionControls, argument: string): Promise<void> {
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
