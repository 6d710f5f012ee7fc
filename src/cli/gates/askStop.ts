import { existsSync } from 'node:fs';
import path from 'node:path';
import { askChecks } from '../../gates/checks/checksGate.ts';
import { INSIDE_CHECK } from '../../gates/checks/runChecks.ts';
import { whyNeverBlock } from '../../gates/neverBlock.ts';
import type { HookAnswer } from '../../hosts/answers.ts';
import { NOTHING } from '../../hosts/answers.ts';
import type { Payload } from '../../hosts/callers.ts';
import { stopSituation } from '../../hosts/stopSituation.ts';
import { childEnvironment } from '../wiring/childEnvironment.ts';
import type { GateWorld } from './gateWorld.ts';
import { hookClock } from './hookClock.ts';
import { openChecks } from './openChecks.ts';

export interface StopWorld extends GateWorld {
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/** "May it stop?", asked in one place: by hosts through `stopgate hook stop`, by our own agent in process. */
export async function askStop(payload: Payload, world: StopWorld): Promise<HookAnswer> {
  const { env, clock } = world;
  const remainingSeconds = hookClock(env, clock.now())?.remainingSeconds ?? null;
  const insideCheck = env[INSIDE_CHECK] === '1';
  const situation = stopSituation(payload, { switchedOff: isSwitchedOff(world), insideCheck, remainingSeconds });
  if (whyNeverBlock(situation) !== null) return NOTHING;
  const opened = await openChecks(payload, world);
  if (opened.type === 'none') return { type: 'nothing', notes: opened.notes };
  const budgetEndAt = remainingSeconds === null ? Number.POSITIVE_INFINITY : clock.now() + remainingSeconds * 1000;
  const answer = await askChecks({
    ...world,
    ...opened,
    env: childEnvironment(env, {}),
    deadlineAt: Math.min(world.deadlineAt, budgetEndAt),
  });
  return answer.type === 'block' ? answer : { type: 'nothing', notes: answer.notes };
}

/** For all sessions by a file in Stopgate's home, for one by its environment. */
function isSwitchedOff({ env, stopgateHome }: GateWorld): boolean {
  return env.STOPGATE_OFF === '1' || existsSync(path.join(stopgateHome, 'off'));
}
