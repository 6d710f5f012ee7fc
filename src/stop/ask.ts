import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Payload } from '../hosts/callers.ts';
import { markActivity } from './activityFile.ts';
import { type HookAnswer, NOTHING } from './answers.ts';
import { configOf } from './configOf.ts';
import { INSIDE_CHECK, neverBlockCode, type StopSituation } from './exemptions.ts';
import { errorEnding, type GateEnding, neverBlockEnding } from './gateEnding.ts';
import type { GateWorld } from './gateWorld.ts';
import { hookClock, hookNow } from './hookClock.ts';
import { recordDecision } from './ledger.ts';
import { type ArmedStart, endingSinceStart } from './sinceStart.ts';
import { sessionIdOf, stopSituation } from './situation.ts';
import { readStart } from './startFile.ts';
import { goneEnding } from './whyGone.ts';
import { ACTIVITY_FILE, workerIdentity } from './worker/workerIdentity.ts';

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
  const remainingSeconds = hookClock(env, hookNow(env, clock))?.remainingSeconds ?? null;
  const insideCheck = env[INSIDE_CHECK] === '1';
  const situation = stopSituation(payload, { switchedOff: isSwitchedOff(world), insideCheck, remainingSeconds });
  const done = await askRecorded(payload, situation, world);
  const identity = workerIdentity(env);
  if (done.type === 'block' || identity === null || neverBlockCode(situation) !== null) return done;
  const { askWorker } = await import('./worker/askWorker.ts');
  return askWorker(payload, { situation, identity, world });
}

/**
 * "Is the work done?", for a completion: the same gate, and none of the reasons that let an agent stop all the same. Only a
 * person's switch counts.
 */
export function askWorkDone(payload: Payload, world: StopWorld): Promise<HookAnswer> {
  const surroundings = { switchedOff: isSwitchedOff(world), insideCheck: false, remainingSeconds: null };
  return askRecorded(payload, stopSituation(payload, surroundings), world);
}

/** Whether the work is done. Every answer is on record before anything else is asked. */
async function askRecorded(payload: Payload, situation: StopSituation, world: StopWorld): Promise<HookAnswer> {
  const start = startOf(payload, world);
  const file = configOf(payload, world.env);
  const known = file ?? start?.file;
  if (known === undefined || known === null) return NOTHING;
  const startedAt = world.clock.now();
  const record = async (plain: GateEnding) => {
    const ending = start === null ? plain : await sinceStart(plain, start, file);
    world.onEnding?.(ending);
    const notes = recordDecision({ event: 'stop', folder: path.dirname(known), payload, ending, startedAt }, world);
    return [...changeNotes(ending), ...notes];
  };
  try {
    const answer = file === null ? gone(known) : await askOrSkip(file, payload, situation, world);
    return withNotes(answer, 'ending' in answer && answer.ending ? await record(answer.ending) : []);
  } catch (error) {
    await record(errorEnding((error as Error).message));
    throw error;
  }
}

const gone = (file: string): HookAnswer => ({ type: 'nothing', ending: goneEnding(file) });

async function askOrSkip(
  file: string,
  payload: Payload,
  situation: StopSituation,
  world: StopWorld,
): Promise<HookAnswer> {
  const code = neverBlockCode(situation);
  if (code !== null) return { type: 'nothing', ending: neverBlockEnding(code) };
  return askDone(file, payload, world, situation.remainingSeconds);
}

/** Whether a stop has a gate of ours: a configuration, now or when the session began. */
export const hasChecks = (payload: Payload, world: Pick<GateWorld, 'env' | 'stopgateHome' | 'start'>): boolean =>
  configOf(payload, world.env) !== null || startOf(payload, world) !== null;

function startOf(payload: Payload, { start, stopgateHome }: Pick<GateWorld, 'stopgateHome' | 'start'>) {
  return start ?? readStart(stopgateHome, sessionIdOf(payload));
}

/** Nobody but the person at a terminal knows who chose plan mode there, so a plan is never held against the agent here. */
async function sinceStart(ending: GateEnding, start: ArmedStart, file: string | null): Promise<GateEnding> {
  const { readConfigFile } = await import('./checks/index.ts');
  const now = file === null ? ({ type: 'none' } as const) : await readConfigFile(file);
  return endingSinceStart(ending, { start, now, mayPlan: true });
}

/** What a person must not have to look for. */
const changeNotes = ({ reason, armedAtStart, changed }: GateEnding): readonly string[] =>
  armedAtStart === undefined && changed === undefined ? [] : [`Stopgate: checks: ${reason}.`];

function withNotes(answer: HookAnswer, notes: readonly string[]): HookAnswer {
  if (notes.length === 0 || (answer.type !== 'nothing' && answer.type !== 'block')) return answer;
  return { ...answer, notes: [...(answer.notes ?? []), ...notes] };
}

async function askDone(
  file: string,
  payload: Payload,
  world: StopWorld,
  remainingSeconds: number | null,
): Promise<HookAnswer> {
  const { askDefinitionOfDone } = await import('./checks/index.ts');
  const budgetEndAt =
    remainingSeconds === null ? Number.POSITIVE_INFINITY : world.clock.now() + remainingSeconds * 1000;
  const deadlineOf = budgetEndAt < world.deadlineAt ? 'budget' : 'hook';
  const deadlineAt = Math.min(world.deadlineAt, budgetEndAt);
  return askDefinitionOfDone(file, payload, { ...world, deadlineAt, deadlineOf });
}

/** For all sessions by a file in Stopgate's home, for one by its environment. */
export function isSwitchedOff({ env, stopgateHome }: Pick<GateWorld, 'env' | 'stopgateHome'>): boolean {
  return env.STOPGATE_OFF === '1' || existsSync(path.join(stopgateHome, 'off'));
}
