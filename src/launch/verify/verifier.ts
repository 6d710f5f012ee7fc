import { failureOf, type Git } from '../../git/git.ts';
import type { JudgeFacts } from '../../schemas/ledger.ts';
import type { AskJudgeModel } from '../../stop/verify/judge/askJudge.ts';
import { waitForJudge } from '../../stop/verify/judge/decideJudged.ts';
import { recordVerification } from '../../stop/verify/recordVerification.ts';
import type { Verdict } from '../../stop/verify/verdict.ts';
import { forgetFrozen } from '../../stop/verify/verificationRecord.ts';
import { type VerifiedWork, verifyWork } from '../../stop/verify/verifyWork.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Attempt, AttemptDetails, Outcome, Store, Task } from '../../store/types.ts';
import { JUDGE_ALONE, lacksVerifier } from '../../store/verification.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { redactSecrets } from '../../system/redactSecrets.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import { type JudgeDetails, judgeWork } from './judgeWork.ts';
import { planVerification, type VerificationPlan, type VerifierWorld } from './planVerification.ts';
import { HELD, SETTLED_WORDS } from './settledWords.ts';
import { ALONE_FACTS, isUnkept, UNKEPT_FACTS, type Unseen } from './unseenWork.ts';

export interface VerifierPlace {
  readonly store: Store;
  readonly world: VerifierWorld;
  /** Who verifies: a worker, or the coordinator of a fleet. */
  readonly name: string;
  readonly queue: string | undefined;
  /** Aborted: no more verifications, and the one that runs is given up. */
  readonly signal: AbortSignal;
  readonly report: (sentence: string) => void;
  /** Only for work that a model judges, too. */
  readonly askJudge: AskJudgeModel;
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
/** How many are looked at together: what cannot be verified here must not hide the rest. */
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
  let after: string | null = null;
  while (!signal.aborted) {
    const request = { statuses: ['verifying'], order: 'oldest', limit: LOOK_AT } as const;
    const page = { ...(queue !== undefined && { queue }), ...(after !== null && { after }) };
    const listed = await store.listTasks({ ...request, ...page });
    if (listed.type !== 'tasks' || listed.tasks.length === 0) return;
    const about = await store.about({});
    if (about.type !== 'about') return;
    const free = listed.tasks.filter((task) => lacksVerifier(task, about.now));
    const isVerified = await verifyFirst(free, about.now, opened);
    if (!isVerified && listed.next === null) return;
    after = isVerified ? null : listed.next;
  }
}

/** Whether one was verified: then others may have come meanwhile. */
async function verifyFirst(tasks: readonly Task[], now: number, opened: Opened): Promise<boolean> {
  for (const task of tasks) {
    if (opened.signal.aborted) return false;
    if (!opened.isSkipped(keyOf(task)) && (await verifyTask(task, now, opened))) return true;
  }
  return false;
}

const keyOf = ({ id, epoch }: Pick<Task, 'id' | 'epoch'>) => `${id} ${epoch}`;

async function verifyTask(task: Task, now: number, opened: Opened): Promise<boolean> {
  const { store, name, report, git, world } = opened;
  const listed = await store.attempts({ taskId: task.id });
  const attempts = listed.type === 'attempts' ? listed.attempts : [];
  const attempt = attempts.find(({ id }) => id === task.attemptId);
  // what its judge has to be asked again waits, whichever verifier asked before
  if (attempt === undefined || (attempt.details.judge?.askAgainAt ?? 0) > now) return false;
  if (attempt.details.verify === JUDGE_ALONE && task.verify === null) return refuseUnseen(task, ALONE_FACTS, opened);
  if (isUnkept(attempt)) return refuseUnseen(task, UNKEPT_FACTS, opened);
  const plan = await planVerification(task, attempt, { git, world, attempts });
  if (plan.type === 'refused') return refuseUnseen(task, { why: plan.reason, hold: null }, opened);
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
  return verifyTaken({ taken, work: plan.work, attempts }, opened);
}

async function refuseUnseen({ id: taskId }: Task, { why, hold }: Unseen, opened: Opened): Promise<boolean> {
  const { store, name, report } = opened;
  const taken = await store.takeVerification({ holder: name, ttlMs: LEASE_MS, taskId });
  if (taken.type !== 'taken') return false;
  const settled = { taskId, verifyEpoch: taken.verifyEpoch, verdict: 'reject', reason: `${why}.` } as const;
  const answer = await deliver(opened, { ...settled, ...(hold !== null && { hold }) });
  report(`task ${taskId}: ${why}. ${settledWords(answer.type, hold)}`);
  return true;
}

interface TakenWork {
  readonly taken: Extract<Outcome<'takeVerification'>, { type: 'taken' }>;
  readonly work: Extract<VerificationPlan, { type: 'plan' }>['work'];
  readonly attempts: readonly Attempt[];
}

async function verifyTaken({ taken, work, attempts }: TakenWork, opened: Opened): Promise<boolean> {
  const { world, git, report } = opened;
  const { task, attempt } = taken;
  const lost = new AbortController();
  const over = new AbortController();
  const renewed = renewUntil(over.signal, lost, { taken, opened });
  const signal = AbortSignal.any([lost.signal, opened.signal]);
  const outcome = await verifyWork({ work, attempt, signal }, { ...world, git }).catch(failureOf);
  const end =
    outcome.type === 'judged'
      ? await conclude({ taken, work, attempts }, { ...outcome, signal }, opened)
      : outcome.type;
  if (end === 'aborted')
    report(`the verification of task ${task.id} was given up: ${lost.signal.reason ?? 'this verifier ends'}`);
  if (outcome.type === 'failed') {
    const sentence = `task ${task.id} could not be verified (${outcome.reason.replace(/\.$/, '')}); it is tried again`;
    opened.skip(keyOf(task), AGAIN_MS, sentence);
  }
  over.abort();
  await renewed;
  return end === 'settled';
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

type Checked = Extract<VerifiedWork, { type: 'judged' }>;

/** Settles what the checks decided; after a pass, a judge may have to be asked first. */
async function conclude(
  of: TakenWork,
  checked: Checked & { readonly signal: AbortSignal },
  opened: Opened,
): Promise<'settled' | 'waits' | 'aborted'> {
  const { taken, work, attempts } = of;
  const { verdict, signal } = checked;
  const plain = { ...checked, hold: null, facts: null, details: undefined };
  if (verdict.type !== 'pass') return settle(of, plain, opened);
  const subject = { task: taken.task, attempt: taken.attempt, attempts, work, verdict, signal };
  const judged = await judgeWork(subject, { ...opened, ask: opened.askJudge });
  if (judged.type === 'aborted') return 'aborted';
  if (judged.type === 'notAsked') return settle(of, plain, opened);
  const { decision, facts, details } = judged;
  if (decision.type === 'wait') return awaitJudge(of, { ...decision, details }, opened);
  return settle(of, { ...checked, ...decision, facts, details }, opened);
}

/** Passed, and not done without a verdict: it stays as it is, for every verifier. */
async function awaitJudge(
  { taken }: TakenWork,
  { reason, details }: { readonly reason: string; readonly details: JudgeDetails },
  { store, report }: Opened,
): Promise<'waits'> {
  const { task, verifyEpoch } = taken;
  const waitMs = waitForJudge(details.asks);
  const about = await store.about({});
  const now = about.type === 'about' ? about.now : 0;
  const judge = { ...details, askAgainAt: Math.round(now + waitMs) };
  await store.renewVerification({ taskId: task.id, verifyEpoch, ttlMs: LEASE_MS, details: { judge } });
  report(
    `task ${task.id} passed its checks and waits for its verdict; ${reason}; asked again in ${formatSeconds(waitMs)}`,
  );
  return 'waits';
}

interface Decided extends Omit<Checked, 'type'> {
  readonly verdict: Verdict;
  readonly hold: string | null;
  readonly facts: JudgeFacts | null;
  readonly details: JudgeDetails | undefined;
}

async function settle({ taken, work }: TakenWork, decided: Decided, opened: Opened): Promise<'settled'> {
  const { world, name, report } = opened;
  const { verdict, tree, durationMs, hold, facts, details: judge } = decided;
  const { task, attempt, verifyEpoch } = taken;
  const record = {
    attempt: factsOf(attempt),
    frozen: work.frozen,
    verdict,
    tree,
    durationMs,
    verifier: name,
    judge: facts,
  };
  const { file, problems } = recordVerification(record, world);
  for (const problem of problems) report(problem);
  const secrets = secretValues(world.env);
  const details: AttemptDetails = {
    verifiedBy: name,
    ...(work.commit !== null && { verifiedCommit: work.commit }),
    ...(tree !== null && { verifiedTree: tree.digest }),
    ...(file !== null && { receipt: file }),
    ...(judge && { judge }),
  };
  const answer = await deliver(opened, {
    ...{ taskId: task.id, verifyEpoch, verdict: verdict.type, details },
    reason: redactSecrets(verdict.reason, secrets),
    ...(verdict.notes !== null && { notes: redactSecrets(verdict.notes, secrets) }),
    ...(hold !== null && { hold }),
  });
  report(`task ${task.id}: ${verdict.reason} ${settledWords(answer.type, hold)}`);
  // otherwise another verifier, or the next attempt, may still need it
  if (answer.type === 'done' || answer.type === 'dead') await forgetFrozen(attempt, world);
  return 'settled';
}

const settledWords = (type: Outcome<'settleVerification'>['type'], hold: string | null) =>
  type === 'requeued' && hold !== null ? HELD : SETTLED_WORDS[type];

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
