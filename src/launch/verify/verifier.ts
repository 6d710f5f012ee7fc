import { failureOf, type Git } from '../../git/git.ts';
import type { JudgeFacts } from '../../schemas/ledger.ts';
import type { AskJudgeModel } from '../../stop/verify/judge/askJudge.ts';
import { waitForJudge } from '../../stop/verify/judge/decideJudged.ts';
import { recordVerification } from '../../stop/verify/recordVerification.ts';
import { forgetFrozen } from '../../stop/verify/verificationRecord.ts';
import { type VerifiedWork, verifyWork } from '../../stop/verify/verifyWork.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Attempt, AttemptDetails, Outcome, Store, Task } from '../../store/types.ts';
import { JUDGE_ALONE, lacksVerifier } from '../../store/verification.ts';
import { repeatEvery } from '../../system/clock.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { redactSecrets } from '../../system/redactSecrets.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import { throughOutage } from '../throughOutage.ts';
import { type JudgeDetails, judgeWork } from './judgeWork.ts';
import { planVerification, type VerificationPlan, type VerifierWorld } from './planVerification.ts';
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
  const { store, name, report, world, signal } = opened;
  const taken = await store.takeVerification({ holder: name, ttlMs: LEASE_MS, taskId });
  if (taken.type !== 'taken') return false;
  const reject = { taskId, verifyEpoch: taken.verifyEpoch, verdict: 'reject', reason: `${why}.` } as const;
  const settled = { ...reject, ...(hold !== null && { hold }) };
  const answer = await throughOutage(() => store.settleVerification(settled), world.clock, signal);
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
  await using _renewing = renewing(taken, lost, opened);
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
  return end === 'settled';
}

/** The heartbeats of a verifier; an unreachable store does not end it. */
function renewing({ task, verifyEpoch }: TakenWork['taken'], lost: AbortController, { store, world }: Opened) {
  return repeatEvery(world.clock, RENEW_MS, async () => {
    if (lost.signal.aborted) return;
    const answer = await store.renewVerification({ taskId: task.id, verifyEpoch, ttlMs: LEASE_MS });
    if (answer.type === 'superseded') lost.abort('it was cancelled, or another verifier has it');
  });
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
  readonly hold: string | null;
  readonly facts: JudgeFacts | null;
  readonly details: JudgeDetails | undefined;
}

async function settle({ taken, work }: TakenWork, decided: Decided, opened: Opened): Promise<'settled'> {
  const { store, world, name, report, signal } = opened;
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
  const settled = {
    ...{ taskId: task.id, verifyEpoch, verdict: verdict.type, details },
    reason: redactSecrets(verdict.reason, secrets),
    ...(verdict.notes !== null && { notes: redactSecrets(verdict.notes, secrets) }),
    ...(hold !== null && { hold }),
  };
  const answer = await throughOutage(() => store.settleVerification(settled), world.clock, signal);
  report(`task ${task.id}: ${verdict.reason} ${settledWords(answer.type, hold)}`);
  // otherwise another verifier, or the next attempt, may still need it
  if (answer.type === 'done' || answer.type === 'dead') await forgetFrozen(attempt, world);
  return 'settled';
}

/** The state of a task after the verdict, for the log. */
const SETTLED_WORDS: Readonly<Record<Outcome<'settleVerification'>['type'], string>> = {
  done: 'It is done.',
  requeued: 'It goes back to the queue.',
  dead: 'It is dead: it has no tries left.',
  superseded: 'The verdict does not count: the task was cancelled, or another verifier has it.',
  unavailable: 'The verdict could not be delivered, because the store does not answer; another verifier repeats it.',
};

const settledWords = (type: keyof typeof SETTLED_WORDS, hold: string | null) =>
  type === 'requeued' && hold !== null
    ? 'It waits for a person: `stopgate task unhold` gives it another try.'
    : SETTLED_WORDS[type];

const factsOf = ({ taskId, epoch, result }: Attempt) => ({ taskId, epoch, result });
