import { existsSync } from 'node:fs';
import path from 'node:path';
import { wallNow } from '../../system/clock.ts';
import { endLeftovers } from '../../system/leftovers.ts';
import { MARKS } from '../../system/marks.ts';
import { sessionOfAgent } from '../askCompletion.ts';
import { judged } from '../checks/askChecks.ts';
import { readBaseline } from '../checks/baseline.ts';
import { checksMemory } from '../checks/memory.ts';
import { parseConfig } from '../checks/readConfig.ts';
import { runInCopy } from '../checks/runChecks.ts';
import type { Check, CheckResult } from '../checks/types.ts';
import { childEnvironment } from '../childEnvironment.ts';
import type { FreezeWorld } from '../frozen/freeze.ts';
import { completionSession } from '../startFile.ts';
import { readWaivers } from '../waivers.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { verificationSession } from './verificationRecord.ts';
import { openWorkPlace, type PlaceWorld, type Work, type WorkPlace } from './workPlace.ts';

export interface Verification {
  readonly work: Omit<Work, 'checks' | 'protect'>;
  /** Whose work it is. */
  readonly attempt: {
    readonly taskId: string;
    readonly epoch: number;
    readonly workerId: string;
    readonly incarnation: number;
  };
  /** Aborted when the verification is no longer this verifier's. */
  readonly signal: AbortSignal;
}

export type VerifyWorld = FreezeWorld & PlaceWorld;

export type VerifiedWork =
  | {
      readonly type: 'judged';
      readonly verdict: Verdict;
      readonly tree: WorkPlace['tree'];
      readonly durationMs: number;
    }
  | { readonly type: 'aborted' }
  /** Nothing is known about the work. */
  | { readonly type: 'failed'; readonly reason: string };

const NO_COMMIT = 'there is no commit of it';

/** Runs frozen checks on the work of an attempt, in a place that its agent cannot reach. */
export async function verifyWork({ work, attempt, signal }: Verification, world: VerifyWorld): Promise<VerifiedWork> {
  const startedAt = world.clock.now();
  const config = parseConfig(work.frozen.text, work.frozen.file);
  const { checks = [], protect = [] } = config.type === 'config' ? config.done : {};
  const opened = await openWorkPlace({ ...work, checks, protect }, world);
  if (opened.type === 'failed') return opened;
  await using place = opened;
  const ran = await runAll(checks, { place, signal, mark: verificationSession(attempt) }, world);
  if (signal.aborted) return { type: 'aborted' };
  const results = await judgedBy([...ran, ...place.broken], { work, attempt, signal }, world);
  const inPlace = work.commit === null ? NO_COMMIT : null;
  const verdict = verdictOf({ results, commit: work.commit, inPlace });
  return { type: 'judged', verdict, tree: place.tree, durationMs: world.clock.now() - startedAt };
}

interface Running {
  readonly place: WorkPlace;
  readonly signal: AbortSignal;
  /** Marks the processes that it starts. */
  readonly mark: string;
}

/** Each check has a timeout of its own. */
const LONGEST_MS = 24 * 3_600_000;

async function runAll(checks: readonly Check[], running: Running, world: VerifyWorld): Promise<readonly CheckResult[]> {
  const { mark, signal } = running;
  // left by a verifier that was killed
  await endLeftovers({ mark: MARKS.check, value: mark, group: undefined, clock: world.clock });
  const results: CheckResult[] = [];
  for (const check of checks) {
    if (signal.aborted) break;
    results.push(await runOne(check, running, world));
  }
  return results;
}

async function runOne(check: Check, { place, signal, mark }: Running, world: VerifyWorld): Promise<CheckResult> {
  const memory = checksMemory({ stopgateHome: world.stopgateHome, folder: check.folder, sessionId: mark });
  return runInCopy(check, place, {
    ...{ memory, isUnchanged: false, changedByOthers: false },
    ...{ demand: 'proof', waitedFor: new Set(), deadlineOf: 'hook', deadlineAt: world.clock.now() + LONGEST_MS },
    ...{ env: childEnvironment(world.env, {}), processes: world.processes, clock: world.clock, mark, signal },
  });
}

/** Of the configuration; a worktree may be gone by now, but what was accepted belongs to its repository. */
function folderOf({ frozen, repository }: Verification['work']): string {
  const folder = path.dirname(frozen.file);
  return existsSync(folder) ? folder : path.join(repository, path.relative(frozen.topLevel, folder));
}

/** What a person accepted counts here as at a stop. */
async function judgedBy(
  results: readonly CheckResult[],
  { work, attempt }: Verification,
  { stopgateHome, clock }: VerifyWorld,
): Promise<readonly CheckResult[]> {
  const folder = folderOf(work);
  const completions = completionSession(attempt);
  const agent = await sessionOfAgent(completions, attempt.workerId, { stopgateHome });
  const sessions = [completions, ...(agent === undefined ? [] : [agent])];
  const began =
    agent === undefined ? {} : (await checksMemory({ stopgateHome, folder, sessionId: agent }).session()).began;
  const waived = (await Promise.all(sessions.map((session) => readWaivers(stopgateHome, session)))).flat();
  const reasons = new Map(waived.map(({ check, reason }) => [check, reason]));
  const accepted = { entries: await readBaseline(stopgateHome, folder), began, now: wallNow(clock) };
  return results.map((result) => judged(result, accepted, reasons));
}
