import { thisWorld } from '../../../system/world.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import { TerminalSession } from './terminalSession.ts';

/** `stopgate` on a terminal: conversations until the person leaves. */
export async function runTerminalSession(first: string | undefined, given: PromptFlags): Promise<number> {
  const { STOPGATE_PLAIN, TERM } = process.env;
  const isPlain = given.plain || STOPGATE_PLAIN === '1' || TERM === 'dumb';
  let flags = given;
  let prompt = first;
  while (true) {
    const leaving = await new TerminalSession(flags, thisWorld(), isPlain).run(prompt);
    prompt = undefined;
    if (leaving.type === 'exit') return 0;
    const { resume: _resume, sessionId: _id, ...rest } = { ...flags, continue: false, forkSession: false };
    flags = leaving.type === 'resume' ? { ...rest, resume: leaving.id } : rest;
  }
}
