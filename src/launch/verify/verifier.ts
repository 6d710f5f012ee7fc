import { failureOf, type Git } from '../../git/git.ts';
import { recordVerification } from '../../stop/verify/recordVerification.ts';
import { forgetFrozen } from '../../stop/verify/verificationRecord.ts';
import { type VerifiedWork, verifyWork } from '../../stop/verify/verifyWork.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Attempt, AttemptDetails, Outcome, Store, Task } from '../../store/types.ts';
import { lacksVerifier } from '../../store/verification.ts';
import { redactSecrets } from '../../system/redactSecrets.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import { planVerification, type VerificationPlan, type VerifierWorld } from './planVerification.ts';
import { SETTLED_WORDS } from './settledWords.ts';

export interface VerifierPlace {
  readonly store: Store;
  readonly world: VerifierWorld;
  /** Who verifies: a worker, or the coordinator of a fleet. */
  readonly name: string;
  readonly queue: string | undefined;
  /** Aborted: no more verifications, and the one that runs is given up. */
  readonly signal: AbortSignal;
  readonly report: (sentence: string) => void;
}

/** Verifies the completed tasks of a queue, one at a time. */
export interface Verifier {
  /** Until none is left that it can verify here. */
  all(): Promise<void>;
  /** The same again and again, until the signal. */
  watch(everyMs: number, until: AbortSignal): Promise<void>;
}

/** A verifier that is killed is replaced after this. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How many are looked at: what cannot be verified here must not hide the rest. */
const LOOK_AT = 50;
/** After trouble of its own, which may be over then. */
const AGAIN_MS = 60_000;

export function openVerifier(place: VerifierPlace): Verifier {
  const git = worldGit(place.world);
  const { clock } = place.world;
  const skipped = new Map<string, number>();
  const skip = (key: string, forMs: number, sentence: string) => {
    if (!skipped.has(key)) place.report(sentence);
    skipped.set(key, clock.now() + forMs);
  };
  const isSkipped = (key: string) => (skipped.get(key) ?? 0) > clock.now();
  const opened = { ...place, git, skip, isSkipped };
  let running: Promise<void> | null = null;
  const all = () => {
    running ??= verifyAll(opened).finally(() => {
      running = null;
    });
    return running;
  };
  return {
    all,
    watch: async (everyMs, until) => {
      const either = AbortSignal.any([until, place.signal]);
      while (!either.aborted) {
        await all();
        await clock.sleep(everyMs, either);
      }
    },
  };
}

interface Opened extends VerifierPlace {
  readonly git: Git;
  readonly skip: (key: string, forMs: number, sentence: string) => void;
  readonly isSkipped: (key: string) => boolean;
}

async function verifyAll(opened: Opened): Promise<void> {
  const { store, queue, signal } = opened;
  while (!signal.aborted) {
    const request = { statuses: ['verifying'], order: 'oldest', limit: LOOK_AT } as const;
    const listed = await store.listTasks({ ...request, ...(queue !== undefined && { queue }) });
    if (listed.type !== 'tasks' || listed.tasks.length === 0) return;
    const about = await store.about({});
    if (about.type !== 'about') return;
    const free = listed.tasks.filter((task) => lacksVerifier(task, about.now));
    if (!(await verifyFirst(free, opened))) return;
  }
}

/** Whether one was verified: then others may have come meanwhile. */
async function verifyFirst(tasks: readonly Task[], opened: Opened): Promise<boolean> {
  for (const task of tasks) {
    if (opened.signal.aborted) return false;
    if (!opened.isSkipped(keyOf(task)) && (await verifyTask(task, opened))) return true;
  }
  return false;
}

const keyOf = ({ id, epoch }: Pick<Task, 'id' | 'epoch'>) => `${id} ${epoch}`;

async function verifyTask(task: Task, opened: Opened): Promise<boolean> {
  const { store, name, report, git, world } = opened;
  const listed = await store.attempts({ taskId: task.id });
  const attempt = listed.type === 'attempts' ? listed.attempts.find(({ id }) => id === task.attemptId) : undefined;
  if (attempt === undefined) return false;
  const plan = await planVerification(task, attempt, { git, world });
  if (plan.type === 'notHere') {
    const sentence = `task ${task.id} waits for another verifier: ${plan.reason.replace(/\.$/, '')}`;
    opened.skip(keyOf(task), AGAIN_MS, sentence);
    return false;
  }
  const taken = await store.takeVerification({ holder: name, ttlMs: LEASE_MS, taskId: task.id });
  // another verifier has it
  if (taken.type !== 'taken' || taken.attempt.id !== attempt.id) return false;
  const of = plan.work.commit === null ? 'its folder' : `commit ${plan.work.commit.slice(0, 12)}`;
  report(`verifying task ${task.id} (${of})`);
  return verifyTaken({ taken, work: plan.work }, opened);
}

interface TakenWork {
  readonly taken: Extract<Outcome<'takeVerification'>, { type: 'taken' }>;
  readonly work: Extract<VerificationPlan, { type: 'plan' }>['work'];
}

async function verifyTaken({ taken, work }: TakenWork, opened: Opened): Promise<boolean> {
  const { world, git, report } = opened;
  const { task, attempt } = taken;
  const lost = new AbortController();
  const over = new AbortController();
  const renewed = renewUntil(over.signal, lost, { taken, opened });
  const signal = AbortSignal.any([lost.signal, opened.signal]);
  const outcome = await verifyWork({ work, attempt, signal }, { ...world, git }).catch(failureOf);
  if (outcome.type === 'judged') await settle({ taken, work }, outcome, opened);
  if (outcome.type === 'aborted')
    report(`the verification of task ${task.id} was given up: ${lost.signal.reason ?? 'this verifier ends'}`);
  if (outcome.type === 'failed') {
    const sentence = `task ${task.id} could not be verified (${outcome.reason.replace(/\.$/, '')}); it is tried again`;
    opened.skip(keyOf(task), AGAIN_MS, sentence);
  }
  over.abort();
  await renewed;
  return outcome.type === 'judged';
}

/** The heartbeats of a verifier; an unreachable store does not end it. */
async function renewUntil(
  over: AbortSignal,
  lost: AbortController,
  { taken, opened }: { readonly taken: TakenWork['taken']; readonly opened: Opened },
): Promise<void> {
  const { store, world } = opened;
  const renewal = { taskId: taken.task.id, verifyEpoch: taken.verifyEpoch, ttlMs: LEASE_MS };
  while (!over.aborted) {
    await world.clock.sleep(RENEW_MS, over);
    if (over.aborted) return;
    const answer = await store.renewVerification(renewal);
    if (answer.type === 'superseded') return lost.abort('it was cancelled, or another verifier has it');
  }
}

type Judged = Extract<VerifiedWork, { type: 'judged' }>;

async function settle({ taken, work }: TakenWork, judged: Judged, opened: Opened): Promise<void> {
  const { world, name, report } = opened;
  const { verdict, tree, durationMs } = judged;
  const { task, attempt, verifyEpoch } = taken;
  const record = { attempt: factsOf(attempt), frozen: work.frozen, verdict, tree, durationMs, verifier: name };
  const { file, problems } = recordVerification(record, world);
  for (const problem of problems) report(problem);
  const secrets = secretValues(world.env);
  const details: AttemptDetails = {
    verifiedBy: name,
    ...(work.commit !== null && { verifiedCommit: work.commit }),
    ...(tree !== null && { verifiedTree: tree.digest }),
    ...(file !== null && { receipt: file }),
  };
  const answer = await deliver(opened, {
    ...{ taskId: task.id, verifyEpoch, verdict: verdict.type, details },
    reason: redactSecrets(verdict.reason, secrets),
    ...(verdict.notes !== null && { notes: redactSecrets(verdict.notes, secrets) }),
  });
  report(`task ${task.id}: ${verdict.reason} ${SETTLED_WORDS[answer.type]}`);
  // otherwise another verifier may still need it
  if (answer.type !== 'superseded' && answer.type !== 'unavailable') await forgetFrozen(attempt, world);
}

const factsOf = ({ taskId, epoch, result }: Attempt) => ({ taskId, epoch, result });

const TRIES = 10;
const RETRY_MS = 3_000;

/** A verdict that took minutes must not be lost by a short outage of the store. */
async function deliver(
  { store, world, signal }: Opened,
  verdict: Parameters<Store['settleVerification']>[0],
): Promise<Outcome<'settleVerification'>> {
  for (let tries = 1; ; tries++) {
    const answer = await store.settleVerification(verdict);
    if (answer.type !== 'unavailable' || tries >= TRIES || signal.aborted) return answer;
    await world.clock.sleep(RETRY_MS, signal);
  }
}
