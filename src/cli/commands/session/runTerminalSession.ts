import { thisWorld } from '../../../system/world.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import { type Endings, listenForEndings } from './endings.ts';
import type { Leaving } from './sessionControls.ts';
import { TerminalSession } from './terminalSession.ts';

/** `stopgate` on a terminal: conversations until the person leaves. */
export async function runTerminalSession(first: string | undefined, given: PromptFlags): Promise<number> {
  const { STOPGATE_PLAIN, TERM } = process.env;
  const isPlain = given.plain || STOPGATE_PLAIN === '1' || TERM === 'dumb';
  let flags = given;
  let prompt = first;
  while (true) {
    const session = new TerminalSession(flags, thisWorld(), isPlain);
    using endings = listenForEndings(() => session.leave({ type: 'exit' }), isPlain);
    const leaving = await run(session, prompt, endings);
    prompt = undefined;
    if (leaving.type === 'exit') return endings.exitCode() ?? session.checks.exitCode;
    const { resume: _resume, sessionId: _id, ...rest } = { ...flags, continue: false, forkSession: false };
    flags = leaving.type === 'resume' ? { ...rest, resume: leaving.id } : rest;
  }
}

async function run(session: TerminalSession, prompt: string | undefined, endings: Endings): Promise<Leaving> {
  try {
    return await Promise.race([session.run(prompt), endings.crashed]);
  } catch (error) {
    // what a signal interrupted did not fail
    if (endings.exitCode() !== undefined) return { type: 'exit' };
    // the terminal is the shell's again before anything is printed; it may be the screen that failed
    await session.view.close().catch(() => {});
    throw error;
  }
}
