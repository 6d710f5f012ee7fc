import { budgetEndWarnings } from '../../../budget/budgetEnd.ts';
import { budgetMessage } from '../../../budget/timeBudget.ts';
import type { HookAnswer } from '../../../hosts/host.ts';
import { beginSession } from '../../../stop/ask.ts';
import { hookClock, hookNow } from '../../../stop/clock.ts';
import type { Payload } from '../../../stop/payload.ts';
import type { HookWorld } from './hookWorld.ts';

/** Tells a session that was resumed how much time is left: what its history says is old. */
export async function onSessionStart(payload: Payload, world: HookWorld): Promise<HookAnswer> {
  const ofGates = await beginSession(payload, world);
  // once a session, not at each tool call
  const notes = [...ofGates, ...budgetEndWarnings(world.env).map((warning) => `Stopgate: ${warning}`)];
  const clock = hookClock(world.env, hookNow(world.env, world.clock));
  if (clock === null || payload.source !== 'resume') return { type: 'pass', notes };
  return { type: 'context', event: 'SessionStart', text: budgetMessage(clock.remainingSeconds, clock), notes };
}
