import path from 'node:path';
import type { TreeFacts } from '../../schemas/ledger.ts';
import { PASS, type StopAnswer, withNotes } from '../answer.ts';
import { errorEnding, type GateEnding, neverBlockEnding } from '../ending.ts';
import type { Gate, StopQuestion } from '../gate.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { type ArmedStart, endingSinceStart } from '../sinceStart.ts';
import { isSwitchedOff, stopSituation } from '../situation.ts';
import { goneEnding, readStart } from '../startFile.ts';
import type { GateWorld, StopWorld } from '../world.ts';
import { findConfig } from './findConfig.ts';

/** The definition of done: `stopgate.config.json`, now or when the session began. */
export const checksGate: Gate = {
  isSet: (payload, world) => configOf(payload, world.env) !== null || startOf(payload, world) !== null,
  ask: askRecorded,
  begin: async (payload, world) => {
    const file = configOf(payload, world.env);
    return file === null ? [] : (await import('./checks.ts')).rememberStart(file, payload, world);
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
function configOf({ cwd }: Payload, env: Readonly<Record<string, string>>): string | null {
  // prefers the project's root: `cwd` follows the agent around
  return findConfig(env.CLAUDE_PROJECT_DIR || (typeof cwd === 'string' && path.isAbsolute(cwd) ? cwd : process.cwd()));
}

function startOf(payload: Payload, { start, stopgateHome }: Pick<GateWorld, 'stopgateHome' | 'start'>) {
  return start ?? readStart(stopgateHome, sessionIdOf(payload));
}

/** Records every answer before it is given. */
async function askRecorded(question: StopQuestion): Promise<StopAnswer> {
  const { payload, world } = question;
  const start = startOf(payload, world);
  const file = configOf(payload, world.env);
  const known = file ?? start?.file;
  if (known === undefined || known === null) return PASS;
  const isFrozen = file !== null || (await hasFrozen(payload, world));
  const startedAt = world.clock.now();
  const record = async (plain: GateEnding, tree?: TreeFacts) => {
    const ending = start === null ? plain : await sinceStart(plain, start, file);
    world.onEnding?.(ending);
    const { recordStop } = await import('./checks.ts');
    const stop = { folder: path.dirname(known), payload, ending, tree, durationMs: world.clock.now() - startedAt };
    return [...changeNotes(ending), ...recordStop(stop, world)];
  };
  try {
    const answer = isFrozen ? await askOrSkip(known, question) : ended(goneEnding(known));
    return answer.ending ? withNotes(answer, await record(answer.ending, answer.tree)) : answer;
  } catch (error) {
    await record(errorEnding((error as Error).message));
    throw error;
  }
}

/** Whether the definition of the session's start is kept: then it decides although its file is gone. */
async function hasFrozen(payload: Payload, { stopgateHome }: StopWorld): Promise<boolean> {
  const { readFrozen } = await import('./checks.ts');
  return (await readFrozen(stopgateHome, sessionIdOf(payload))) !== null;
}

const ended = (ending: GateEnding): StopAnswer => ({ ...PASS, ending });

async function askOrSkip(file: string, { payload, situation, exemption, world }: StopQuestion): Promise<StopAnswer> {
  if (exemption !== null && exemption !== 'backgroundTasks') return ended(neverBlockEnding(exemption));
  const checks = await import('./checks.ts');
  const background = exemption === null ? [] : checks.runningCommands(payload);
  if (exemption !== null && background === null) return ended(neverBlockEnding(exemption));
  const { remainingSeconds } = situation;
  const budgetEndAt =
    remainingSeconds === null ? Number.POSITIVE_INFINITY : world.clock.now() + remainingSeconds * 1000;
  const deadlineOf = budgetEndAt < world.deadlineAt ? 'budget' : 'hook';
  const bounded = { ...world, deadlineAt: Math.min(world.deadlineAt, budgetEndAt), deadlineOf } as const;
  const notes = await checks.awaitBackground(background ?? [], bounded);
  return withNotes(await checks.askDefinitionOfDone(file, payload, bounded), notes);
}

/** Who chose plan mode is unknown here, so planning never counts as disarming. */
async function sinceStart(ending: GateEnding, start: ArmedStart, file: string | null): Promise<GateEnding> {
  const { readConfigFile } = await import('./checks.ts');
  const now = file === null ? ({ type: 'none' } as const) : await readConfigFile(file);
  return endingSinceStart(ending, { start, now, mayPlan: true });
}

const changeNotes = ({ reason, armedAtStart, changed }: GateEnding): readonly string[] =>
  armedAtStart === undefined && changed === undefined ? [] : [`Stopgate: checks: ${reason}.`];
