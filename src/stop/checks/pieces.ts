import { rm } from 'node:fs/promises';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { wallNow } from '../../system/clock.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { isSameProcess } from '../../system/processLife.ts';
import { readSealedFile, writeSealedFile } from '../../system/sealedFile.ts';
import type { StopAnswer } from '../answer.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { sessionFile } from '../startFile.ts';
import type { StopWorld } from '../world.ts';
import { askDefinitionOfDone, type DoneWorld, filesNow, markNow } from './checks.ts';

/*
 * For a host that ends a run whose hook takes long: another process runs the checks, and as many stops as it takes wait for
 * it. Those that end before it are refused without a verdict, so they count as no attempt.
 */

/** What the other process does, in a sealed file: an agent could write a plain one. */
interface PieceWork {
  readonly payload: Payload;
  readonly file: string;
  readonly deadlineOf: DoneWorld['deadlineOf'];
  /** Wall time. */
  readonly begunAt: number;
  readonly endsAt: number;
  /** Stops that waited for it. */
  readonly stops: number;
  /** Earlier runs of this stop whose results no longer held. */
  readonly reruns: number;
  /** The change times of the files when the last stop ended without a result; null while a stop waits, and the agent rests. */
  readonly mark: string | null;
  /** The agent changed files between two of these stops. */
  readonly isDisturbed: boolean;
  readonly pid: number;
  readonly pidStart: string | null;
}

export interface PieceResult {
  /** The state of the files before the checks. */
  readonly before: string | null;
  /** Files changed while the agent could work, also if they were put back. */
  readonly isDisturbed: boolean;
  readonly answer: StopAnswer;
}

type PiecesWorld = DoneWorld & Required<Pick<StopWorld, 'pieces'>>;

const POLL_MS = 100;
const MOST_RERUNS = 2;

/** The answer of the checks if it comes in the time of this stop, else a refusal that asks for another stop. */
export async function askInPieces(file: string, payload: Payload, world: PiecesWorld): Promise<StopAnswer> {
  const place = sessionFile(world.stopgateHome, 'pieces', sessionIdOf(payload) ?? '');
  let work = await joined(place, world);
  for (let reruns = work?.reruns ?? 0; ; reruns++) {
    work ??= await begun(place, { file, payload, reruns }, world);
    const result = await awaitResult(place, work, world);
    if (result === null) return stillChecking(await marked(place, work, world), world);
    await forget(place);
    const now = work.stops === 1 ? null : await filesNow(file, payload, world);
    const verdict = judgePiece(
      { ...result, isDisturbed: result.isDisturbed || work.isDisturbed },
      { stops: work.stops, now, reruns },
    );
    if (verdict !== 'again') return verdict;
    work = null;
  }
}

interface PieceFacts {
  readonly stops: number;
  /** The state of the files now. */
  readonly now: string | null;
  readonly reruns: number;
}

/** Between two stops the agent may have changed the files that were being checked. */
export function judgePiece(result: PieceResult, { stops, now, reruns }: PieceFacts): StopAnswer | 'again' {
  const { before, answer, isDisturbed } = result;
  if (stops === 1 || (before === now && !isDisturbed)) return answer;
  if (reruns < MOST_RERUNS) return 'again';
  return answer.type === 'block' ? answer : { type: 'block', notes: [], reason: CHANGING };
}

const CHANGING =
  'Not proven yet: files changed while the checks ran, each time. Leave all files alone, end what still changes them, then stop again.';

function stillChecking({ begunAt }: PieceWork, { clock }: PiecesWorld): StopAnswer {
  const time = formatSeconds(Math.max(0, wallNow(clock) - begunAt));
  const reason = `Still checking: the checks have been running for ${time}. Change nothing and call no tool; answer "waiting" and stop again, and the result follows.`;
  return { type: 'block', notes: [], reason, waits: true };
}

const resultOf = (place: string) => `${place}.result`;

/** What an earlier stop of the session began, if it still runs or has a result. */
async function joined(place: string, world: PiecesWorld): Promise<PieceWork | null> {
  const { stopgateHome } = world;
  const work = await readWork(stopgateHome, place);
  if (work === null) return null;
  const isUseful = isSameProcess(work.pid, work.pidStart) || (await readResult(stopgateHome, place)) !== null;
  if (!isUseful) return null;
  // after a stop that was killed, without a mark, the agent may have changed anything
  const isDisturbed = work.isDisturbed || work.mark === null || work.mark !== (await markNow(work.file, world));
  const next = { ...work, stops: work.stops + 1, mark: null, isDisturbed };
  await writeSealedFile(stopgateHome, place, JSON.stringify(next));
  return next;
}

/** What the files are like when the agent's turn begins, in which it could help a check to pass. */
async function marked(place: string, work: PieceWork, world: PiecesWorld): Promise<PieceWork> {
  const next = { ...work, mark: await markNow(work.file, world) };
  await writeSealedFile(world.stopgateHome, place, JSON.stringify(next));
  return next;
}

async function begun(
  place: string,
  work: Pick<PieceWork, 'file' | 'payload' | 'reruns'>,
  { stopgateHome, clock, pieces, deadlineOf, deadlineAt }: PiecesWorld,
): Promise<PieceWork> {
  const begunAt = wallNow(clock);
  const endsAt = begunAt + deadlineAt - clock.now();
  const whole = { ...work, deadlineOf, begunAt, endsAt, stops: 1, mark: null, isDisturbed: false };
  await forget(place);
  await writeSealedFile(stopgateHome, place, JSON.stringify({ ...whole, pid: 0, pidStart: null }));
  const started = await pieces.start(place);
  if (started.type === 'notStarted') throw new Error(started.reason);
  const { pid, pidStart } = started;
  await writeSealedFile(stopgateHome, place, JSON.stringify({ ...whole, pid, pidStart }));
  return { ...whole, pid, pidStart };
}

/** Null when this stop has no more time. */
async function awaitResult(
  place: string,
  { pid, pidStart }: PieceWork,
  world: PiecesWorld,
): Promise<PieceResult | null> {
  const { clock, signal, stopgateHome, pieces } = world;
  for (;;) {
    const isRunning = isSameProcess(pid, pidStart);
    const result = await readResult(stopgateHome, place);
    if (result !== null) return result;
    if (!isRunning) throw new Error('the process that runs them ended without a result');
    if (signal.aborted || clock.now() >= pieces.answerBy) return null;
    await clock.sleep(POLL_MS, signal).catch(() => {});
  }
}

const forget = async (place: string) => {
  for (const file of [place, resultOf(place)]) await rm(file, { force: true });
};

/** In the other process: runs the checks that the sealed file names, and leaves their answer beside it. */
export async function carryChecks(place: string, world: StopWorld): Promise<void> {
  const { stopgateHome, clock } = world;
  const work = await readWork(stopgateHome, place);
  if (work === null) return;
  const { file, payload, deadlineOf, endsAt } = work;
  const before = await filesNow(file, payload, world);
  const deadlineAt = clock.now() + endsAt - wallNow(clock);
  const isDisturbed = () => isDisturbedNow(place, world);
  const answer = await askDefinitionOfDone(file, payload, { ...world, deadlineAt, deadlineOf, isDisturbed });
  // a process that ended it must not decide: a stop that finds no result has no verdict
  if (world.signal.aborted) return;
  const result: PieceResult = { before, isDisturbed: await isDisturbed(), answer };
  await writeSealedFile(stopgateHome, resultOf(place), JSON.stringify(result));
}

/** So far in this run. */
async function isDisturbedNow(place: string, world: StopWorld): Promise<boolean> {
  const work = await readWork(world.stopgateHome, place);
  if (work === null || work.isDisturbed) return true;
  return work.mark !== null && work.mark !== (await markNow(work.file, world));
}

const readWork = (stopgateHome: string, file: string) => readOwn<PieceWork>(stopgateHome, file, 'payload');
const readResult = (stopgateHome: string, place: string) =>
  readOwn<PieceResult>(stopgateHome, resultOf(place), 'answer');

/** Only this program can seal a file, so what is in one has the form in which it was written. */
async function readOwn<Written>(stopgateHome: string, file: string, field: string): Promise<Written | null> {
  const read = await readSealedFile(stopgateHome, file);
  const value = read.type === 'sealed' ? jsonValue(read.text) : undefined;
  return isObject(value) && isObject(value[field]) ? (value as unknown as Written) : null;
}
