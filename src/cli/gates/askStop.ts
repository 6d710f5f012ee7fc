import { existsSync } from 'node:fs';
import path from 'node:path';
import { INSIDE_CHECK, whyNeverBlock } from '../../gates/neverBlock.ts';
import { type HookAnswer, NOTHING } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';
import { stopSituation } from '../../hosts/stopSituation.ts';
import { markActivity } from './activityFile.ts';
import { configOf } from './configOf.ts';
import type { GateWorld } from './gateWorld.ts';
import { hookClock } from './hookClock.ts';
import { ACTIVITY_FILE, workerIdentity } from './workerIdentity.ts';

export interface StopWorld extends GateWorld {
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/**
 * "May it stop?", asked in one place: by hosts through `stopgate hook stop`, by our own agent in process. First whether the
 * work is done, then whether a worker is still needed. Most stops are held by nothing, so what a gate needs is loaded
 * when there is one.
 */
export async function askStop(payload: Payload, world: StopWorld): Promise<HookAnswer> {
  const file = world.env[ACTIVITY_FILE];
  markActivity(file, 'stopBegan');
  try {
    return await askGates(payload, world);
  } finally {
    markActivity(file, 'stopEnded');
  }
}

async function askGates(payload: Payload, world: StopWorld): Promise<HookAnswer> {
  const { env, clock } = world;
  const remainingSeconds = hookClock(env, clock.now())?.remainingSeconds ?? null;
  const insideCheck = env[INSIDE_CHECK] === '1';
  const situation = stopSituation(payload, { switchedOff: isSwitchedOff(world), insideCheck, remainingSeconds });
  if (whyNeverBlock(situation) !== null) return NOTHING;
  const done = await askDone(payload, world, remainingSeconds);
  const identity = workerIdentity(env);
  if (done.type === 'block' || identity === null) return done;
  const { askWorker } = await import('./askWorker.ts');
  return askWorker(payload, { situation, identity, world });
}

async function askDone(payload: Payload, world: StopWorld, remainingSeconds: number | null): Promise<HookAnswer> {
  const file = configOf(payload, world.env);
  if (file === null) return NOTHING;
  const { askDefinitionOfDone } = await import('./checks.ts');
  const budgetEndAt =
    remainingSeconds === null ? Number.POSITIVE_INFINITY : world.clock.now() + remainingSeconds * 1000;
  return askDefinitionOfDone(file, payload, { ...world, deadlineAt: Math.min(world.deadlineAt, budgetEndAt) });
}

/** For all sessions by a file in Stopgate's home, for one by its environment. */
function isSwitchedOff({ env, stopgateHome }: GateWorld): boolean {
  return env.STOPGATE_OFF === '1' || existsSync(path.join(stopgateHome, 'off'));
}
