import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TreeFacts } from '../../schemas/ledger.ts';
import { wallNow } from '../../system/clock.ts';
import { folderOrItsPlace } from '../../system/currentFolder.ts';
import { PASS, type PassAnswer, type StopAnswer, withNotes } from '../answer.ts';
import { errorEnding, type GateEnding, LOST, neverBlockEnding } from '../ending.ts';
import type { Gate, StopQuestion } from '../gate.ts';
import { closeStop, KILLED, KILLED_NOTE, openStop, readLastStop, wasKilled } from '../lastStop.ts';
import { beganArmed, folderOf } from '../ledger.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { type ArmedStart, endingSinceStart } from '../sinceStart.ts';
import { isSwitchedOff, stopSituation } from '../situation.ts';
import { goneEnding, readStart } from '../startFile.ts';
import type { GateWorld, StopWorld } from '../world.ts';
import { CONFIG_NAME, findConfig } from './findConfig.ts';

/** The definition of done: `stopgate.config.json`, now or when the session began. */
export const checksGate: Gate = {
  isSet: (payload, world) =>
    configOf(payload, world) !== null ||
    startOf(payload, world) !== null ||
    beganArmed(world.stopgateHome, sessionIdOf(payload)),
  ask: askRecorded,
  begin: async (payload, world) => {
    const file = configOf(payload, world);
    if (file === null) return [];
    const notes = await (await import('./checks.ts')).rememberStart(file, payload, world);
    const isUnproven = wasKilled(readLastStop(world.stopgateHome, sessionIdOf(payload) ?? ''));
    return isUnproven ? [...notes, KILLED_NOTE] : notes;
  },
};

/**
 * "Is the work done?", for a completion: the same gate without the exemptions that let an agent stop anyway. Only a person's
 * switch counts.
 */
export function askWorkDone(payload: Payload, world: StopWorld): Promise<StopAnswer> {
  const switchedOff = isSwitchedOff(world);
  const situation = stopSituation(payload, { switchedOff, insideCheck: false, remainingSeconds: null });
  return askRecorded({ payload, situation, exemption: switchedOff ? 'switchedOff' : null, world });
}

/** The configuration of the project that a payload comes from; null without one. */
function configOf({ cwd }: Payload, { env, definition }: GateWorld): string | null {
  if (definition !== undefined) return definition.text !== null || existsSync(definition.file) ? definition.file : null;
  // prefers the project's root: `cwd` follows the agent around
  return findConfig(
    env.CLAUDE_PROJECT_DIR || (typeof cwd === 'string' && path.isAbsolute(cwd) ? cwd : folderOrItsPlace(env)),
  );
}

function startOf(payload: Payload, { start, stopgateHome }: Pick<GateWorld, 'stopgateHome' | 'start'>) {
  return start ?? readStart(stopgateHome, sessionIdOf(payload));
}

/** Records every answer before it is given. */
async function askRecorded(question: StopQuestion): Promise<StopAnswer> {
  const { payload, world } = question;
  const start = startOf(payload, world);
  const file = configOf(payload, world);
  // its records are in a place that an agent can reach: the ledger still has it that there were checks
  const wasArmed = isEmpty(start) && beganArmed(world.stopgateHome, sessionIdOf(payload));
  const known =
    file ?? start?.file ?? (wasArmed ? path.join(folderOf(payload, world.env, world.definition), CONFIG_NAME) : null);
  if (known === null) return PASS;
  const folder = path.dirname(known);
  const startedAt = world.clock.now();
  const record = async (plain: GateEnding, tree?: TreeFacts) => {
    const ending = start === null ? plain : await sinceStart(plain, start, { file, definition: world.definition });
    world.onEnding?.(ending);
    const { recordStop } = await import('./checks.ts');
    const stopped = { folder, payload, ending, tree, durationMs: world.clock.now() - startedAt };
    return [...changeNotes(ending), ...recordStop(stopped, world)];
  };
  const stop = question.exemption === null ? followStop(payload, folder, world) : null;
  const killed = stop?.killed ? await record(errorEnding(KILLED)) : [];
  const early = stop?.killed ? [KILLED_NOTE, ...killed] : [];
  const isArmed = wasArmed || !isEmpty(start);
  const answer = withNotes(await answerOf(known, file, question), early);
  const why = isArmed && stop !== null ? whyNoVerdict(answer, world) : null;
  if (why === null || stop === null) {
    stop?.ended(true);
    return answer.ending ? withNotes(answer, await record(answer.ending, answer.tree)) : answer;
  }
  const held = withoutVerdict(answer, why, stop.ended(false));
  return answer.ending ? withNotes(held, await record(answer.ending, answer.tree)) : held;
}

const isEmpty = (start: ArmedStart | null) => start === null || start.checks.length === 0;

/** A gate that fails is an answer too: what it was armed for is not proven. */
async function answerOf(known: string, file: string | null, question: StopQuestion): Promise<StopAnswer> {
  try {
    const isFrozen = file !== null || (await hasFrozen(question.payload, question.world));
    if (isFrozen) return await askOrSkip(known, question);
    const { payload, world } = question;
    const isLost = question.exemption === null && beganArmed(world.stopgateHome, sessionIdOf(payload));
    return ended(isLost ? errorEnding(LOST) : goneEnding(known));
  } catch (error) {
    const { message } = error as Error;
    return { ...ended(errorEnding(message)), notes: [`Stopgate: the checks could not be run (${message}).`] };
  }
}

/** Why armed checks gave no verdict on a stop that they would let through; null when they gave one. */
function whyNoVerdict({ type, ending }: StopAnswer, { signal, endsWithProcess }: StopWorld): string | null {
  if (type === 'block' || ending === undefined) return null;
  if (ending.type === 'error') return ending.reason;
  // a host that ends its hook ignores the answer; anything else that ends it must not open the gate
  const isEnded = ending.why === 'checksInterrupted' && endsWithProcess === true && signal.reason === 'SIGTERM';
  return isEnded ? 'a process ended them with SIGTERM' : null;
}

/** Stops in a row that are blocked without a verdict: an agent cannot fix what it cannot see. */
const MOST_WITHOUT_VERDICT = 3;

function withoutVerdict(answer: StopAnswer, why: string, times: number): StopAnswer {
  if (times > MOST_WITHOUT_VERDICT) {
    const note = `Stopgate: no verdict ${times} times in a row, so it may stop now; nothing is proven.`;
    return withNotes(answer, [note]);
  }
  const reason = `Not proven yet: the checks gave no verdict (${why.replace(/\.$/, '')}). Stop again, and they run again; if this happens again, report it and stop.`;
  return { ...answer, type: 'block', reason };
}

/** Whether the definition of the session's start is kept: then it decides although its file is gone. */
async function hasFrozen(payload: Payload, { stopgateHome }: StopWorld): Promise<boolean> {
  const { readFrozen } = await import('./checks.ts');
  return (await readFrozen(stopgateHome, sessionIdOf(payload))) !== null;
}

/** Leaves a record while the checks run, which shows the next event that they were killed. */
function followStop(payload: Payload, folder: string, { stopgateHome, clock }: StopWorld) {
  const session = sessionIdOf(payload) ?? '';
  const before = readLastStop(stopgateHome, session);
  const killed = wasKilled(before);
  const at = new Date(wallNow(clock)).toISOString();
  const earlier = (before?.withoutVerdict ?? 0) + (killed ? 1 : 0);
  openStop(stopgateHome, { session, folder, at, withoutVerdict: earlier });
  return {
    killed,
    /** Returns how many stops in a row had no verdict. Where they cannot be counted, only a first stop is held. */
    ended: (hasVerdict: boolean): number => {
      const count = hasVerdict ? 0 : earlier + 1;
      const isKept = closeStop(stopgateHome, { session, folder, at, withoutVerdict: count });
      return isKept || payload.stop_hook_active !== true ? count : MOST_WITHOUT_VERDICT + 1;
    },
  };
}

const ended = (ending: GateEnding): PassAnswer => ({ ...PASS, ending });

async function askOrSkip(file: string, { payload, situation, exemption, world }: StopQuestion): Promise<StopAnswer> {
  if (exemption !== null) return ended(neverBlockEnding(exemption));
  const { remainingSeconds } = situation;
  const budgetEndAt =
    remainingSeconds === null ? Number.POSITIVE_INFINITY : world.clock.now() + remainingSeconds * 1000;
  const { pieces } = world;
  const hookEndAt = pieces === undefined ? world.deadlineAt : world.clock.now() + pieces.wholeSeconds * 1000;
  const deadlineOf = budgetEndAt < hookEndAt ? 'budget' : 'hook';
  const bounded = { ...world, deadlineAt: Math.min(hookEndAt, budgetEndAt), deadlineOf } as const;
  if (pieces === undefined) return (await import('./checks.ts')).askDefinitionOfDone(file, payload, bounded);
  return (await import('./pieces.ts')).askInPieces(file, payload, { ...bounded, pieces });
}

/** Who chose plan mode is unknown here, so planning never counts as disarming. */
async function sinceStart(
  ending: GateEnding,
  start: ArmedStart,
  { file, definition }: Pick<GateWorld, 'definition'> & { readonly file: string | null },
): Promise<GateEnding> {
  const { readDefinition } = await import('./checks.ts');
  const now = file === null ? ({ type: 'none' } as const) : await readDefinition(file, definition);
  return endingSinceStart(ending, { start, now, mayPlan: true });
}

const changeNotes = ({ reason, armedAtStart, changed }: GateEnding): readonly string[] =>
  armedAtStart === undefined && changed === undefined ? [] : [`Stopgate: checks: ${reason}.`];
