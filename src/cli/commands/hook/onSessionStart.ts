import { budgetEndWarnings } from '../../../budget/budgetEnd.ts';
import { budgetMessage } from '../../../budget/timeBudget.ts';
import type { Payload } from '../../../hosts/callers.ts';
import { markActivity } from '../../../stop/activityFile.ts';
import { type HookAnswer, NOTHING } from '../../../stop/answers.ts';
import { configOf } from '../../../stop/configOf.ts';
import { hookClock, hookNow } from '../../../stop/hookClock.ts';
import { workerIdentity } from '../../../stop/worker/workerIdentity.ts';
import type { HookWorld } from './hookWorld.ts';

/** Tells a session that was resumed how much time is left: what its history says is old. */
export async function onSessionStart(payload: Payload, world: HookWorld): Promise<HookAnswer> {
  const file = configOf(payload, world.env);
  const ofChecks =
    file === null ? [] : await (await import('../../../stop/checks/index.ts')).rememberStart(file, payload, world);
  const identity = workerIdentity(world.env);
  if (identity !== null) {
    markActivity(identity.activityFile);
    const { bindSession } = await import('../../../stop/worker/askWorker.ts');
    await bindSession(payload, identity, world);
  }
  // once a session, not at each tool call
  const notes = [...ofChecks, ...budgetEndWarnings(world.env).map((warning) => `Stopgate: ${warning}`)];
  const clock = hookClock(world.env, hookNow(world.env, world.clock));
  if (clock === null || payload.source !== 'resume') return notes.length > 0 ? { type: 'nothing', notes } : NOTHING;
  return { type: 'context', event: 'SessionStart', text: budgetMessage(clock.remainingSeconds, clock), notes };
}
