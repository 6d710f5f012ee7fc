import { describeLeader } from '../../../../fleet/coordinator/leaderName.ts';
import { usedBy } from '../../../../store/budgets.ts';
import { NO_VERIFICATION } from '../../../../store/verification.ts';
import { formatAgo, formatSeconds } from '../../../../system/formatDuration.ts';
import { formatTokens } from '../../../../system/formatTokens.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import type { Page } from '../../../output/page.ts';
import { printResult } from '../../../output/printResult.ts';
import { oneLine, visibleText } from '../../../output/visibleText.ts';
import {
  type Attempt,
  available,
  type Store,
  type StoreEvent,
  type TaskDetail,
} from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTask } from '../findTask.ts';
import { whyLimited } from '../list/gatherTasks.ts';
import { attemptOf, STATUS_STYLES } from '../list/listText.ts';
import { verifyingText } from '../list/verifyingText.ts';
import type { CommonOptions } from '../taskOptions.ts';
import { attemptFacts } from './attemptFacts.ts';
import { describeJudge } from './describeJudge.ts';

/** `stopgate task show`: all that is known about one task. */
export async function runShow(id: string, options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToShow(options.store, world);
  const shown = await gatherTask(store, id);
  const json = options.json ? { ...shown, task: { ...shown.task, starts: shown.task.epoch } } : null;
  return printResult(json, world, (page) => showText(shown, page));
}

export async function gatherTask(store: Store, id: string) {
  const task = await findTask(store, id);
  const { attempts } = available(await store.attempts({ taskId: task.id }));
  const { events } = available(await store.events({ taskId: task.id, limit: 10_000 }));
  const { now } = available(await store.about());
  const { queuePaused } = available(await store.readiness({ queue: task.queue }));
  const limitedBy = whyLimited(task, available(await store.limits()));
  return { task, attempts, events, now, queuePaused, limitedBy };
}

export type ShownTask = Awaited<ReturnType<typeof gatherTask>>;

/** The page of `stopgate task show`. */
export function showText(shown: ShownTask, page: Page): string {
  const { task, attempts, events, now } = shown;
  const { paint } = page;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
  const quoted = (text: string | null) => (text ? [page.quote(visibleText(text.trimEnd()), '  ')] : []);
  return [
    paint('bold', page.block(visibleText(task.title), 0)),
    ...factLines(shown, page),
    ...section('Body', quoted(task.body.trim())),
    ...section(
      'After',
      task.dependsOn.map(
        (one) => `  ${one.taskId}  ${one.met ? 'met' : paint('yellow', `not met: it is ${one.state}`)}`,
      ),
    ),
    ...section('Result', quoted(task.result)),
    ...section(
      'Attempts',
      attempts.flatMap((attempt) => attemptLines(attempt, page, now)),
    ),
    ...section(
      'Events',
      events.map((event) => eventLine(event, page, now)),
    ),
    '',
  ].join('\n');
}

function factLines({ task, attempts, now, queuePaused, limitedBy }: ShownTask, page: Page): string[] {
  const { paint } = page;
  const paused = task.status === 'ready' && queuePaused ? 'paused' : task.status;
  const facts: [string, string | null][] = [
    ['Task', task.id],
    [
      'State',
      paint(STATUS_STYLES[paused], paused) +
        (limitedBy === null ? whyWaiting(task, now) : `, waiting for its ${limitedBy}`),
    ],
    ['Queue', `${task.queue} · type ${task.type} · priority ${task.priority}`],
    ['Added', `${formatAgo(task.createdAt, now)} · changed ${formatAgo(task.updatedAt, now)}`],
    ['Tries', describeTries(task)],
    ['Budget', describeBudget(task, attempts)],
    ['Repo', repositoryText(task)],
    ['Key', task.dedupeKey],
    ['Limit', describeLimit(task)],
    ['Parent', task.parentId],
    ['Verify', verifyText(task, attempts)],
    ['Proof', proofText(task, attempts)],
    ['Judge', judgeText(task, attempts, now)],
    ['Error', task.lastError],
  ];
  return facts.flatMap(([name, value]) => (value ? [`${name.padEnd(7)} ${valueText(value, page)}`] : []));
}

const describeLimit = ({ concurrencyKey, concurrencyLimit }: TaskDetail) =>
  concurrencyKey === null ? null : `at most ${concurrencyLimit ?? 1} in progress with the key ${concurrencyKey}`;

/** Beside its name. Our own colors must not be escaped. */
const valueText = (value: string, page: Page) =>
  value.includes('\x1b[') ? value : page.block(oneLine(value), 8).trimStart();

function repositoryText({ repository, base }: TaskDetail): string | null {
  return repository === null ? null : `${repository} · ${base === null ? 'from its HEAD' : `from ${base}`}`;
}

/** What its work has to pass, or that it has to pass nothing. */
function verifyText({ verify, attemptId }: TaskDetail, attempts: readonly Attempt[]): string | null {
  if (verify === NO_VERIFICATION) return 'not verified (--no-verify)';
  const ofAttempt = attempts.find(({ id }) => id === attemptId)?.details.verify;
  return verify?.replaceAll('\n', ' · ') ?? (ofAttempt === undefined ? null : `the ${ofAttempt}`);
}

/** What its verifier left, of the attempt that counts. */
function proofText({ state, attemptId }: TaskDetail, attempts: readonly Attempt[]): string | null {
  const details = attempts.find(({ id }) => id === attemptId)?.details;
  if (state !== 'done' || details?.verifiedBy === undefined) return null;
  const commit = details.verifiedCommit === undefined ? 'no commit' : `commit ${details.verifiedCommit.slice(0, 12)}`;
  const receipt = details.receipt === undefined ? '' : ` · receipt ${details.receipt}`;
  return `${commit} verified by ${details.verifiedBy}${receipt}`;
}

/** What its judge decided about the latest attempt, else that it will be asked, and by what. */
function judgeText({ judge, attemptId }: TaskDetail, attempts: readonly Attempt[], now: number): string | null {
  const found = attempts.find(({ id }) => id === attemptId)?.details.judge;
  if (found === undefined) return judge === null ? null : `after its checks: ${judge}`;
  const { askAgainAt } = found;
  const again =
    askAgainAt === undefined || askAgainAt <= now ? '' : `; asked again in ${formatSeconds(askAgainAt - now)}`;
  return `${describeJudge(found)}${again}`;
}

function whyWaiting(task: TaskDetail, now: number): string {
  if (task.status === 'delayed') return `, due in ${formatSeconds(task.runAt - now)}`;
  if (task.status === 'blocked')
    return `, waiting for ${task.unmetDependencies} task${task.unmetDependencies === 1 ? '' : 's'}`;
  if (task.status === 'dead') return whyDead(task);
  if (task.status === 'verifying') return `, ${verifyingText(task, now)}`;
  return task.status === 'held' ? `: ${oneLine(task.holdReason ?? '')}` : '';
}

function whyDead({ failures, maxFailures, reclaims, maxReclaims, releases, maxReleases }: TaskDetail): string {
  if (failures >= maxFailures) return `: it failed ${times(failures)} and has no tries left`;
  if (reclaims >= maxReclaims) return `: its worker was lost ${times(reclaims)}`;
  return releases >= maxReleases ? `: it was released ${times(releases)}` : '';
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function describeTries(task: TaskDetail): string {
  return `${attemptOf(task)} · started ${times(task.epoch)} · failed ${task.failures} of ${task.maxFailures} · lost ${task.reclaims} of ${task.maxReclaims} · released ${task.releases} of ${task.maxReleases}`;
}

/** What all attempts have used of each budget; a time limit of one attempt starts again with each. */
function describeBudget(task: TaskDetail, attempts: readonly Attempt[]): string | null {
  const { timeBudgetMs, totalTimeMs, costBudgetUsd, tokenBudget } = task;
  const used = usedBy(attempts, task);
  const parts = [
    timeBudgetMs !== null && `${formatSeconds(timeBudgetMs)} for an attempt`,
    totalTimeMs !== null && `${formatSeconds(used.ms)} of ${formatSeconds(totalTimeMs)} used`,
    costBudgetUsd !== null && `$${Number(used.usd.toFixed(4))} of $${costBudgetUsd} spent`,
    tokenBudget !== null && `${formatTokens(used.tokens)} of ${formatTokens(tokenBudget)} tokens written`,
  ];
  return parts.filter((part) => part !== false).join(' · ') || null;
}

/** One claim: by which worker, when, how it ended, and what it left. */
function attemptLines(attempt: Attempt, page: Page, now: number): string[] {
  const { epoch, state, workerId, incarnation, claimedAt, endedAt, deadlineAt, checkpointAt } = attempt;
  const lasted = endedAt === null ? '' : `, took ${formatSeconds(endedAt - claimedAt)}`;
  const left = endedAt === null && deadlineAt !== null ? `, ${formatSeconds(Math.max(0, deadlineAt - now))} left` : '';
  const why = attempt.outcome && attempt.outcome !== state ? ` (${attempt.outcome})` : '';
  const head = `epoch ${epoch}  ${state}${why}  ${workerId}#${incarnation}  ${formatAgo(claimedAt, now)}${lasted}${left}`;
  const notedAt = checkpointAt === null ? '' : `, ${formatAgo(checkpointAt, now)}`;
  const quoted = (title: string, text: string | null) =>
    text ? [`    ${title}:`, page.quote(visibleText(text.trimEnd()), '      ')] : [];
  return [
    page.block(oneLine(head), 2),
    ...attemptFacts(attempt.details, page),
    ...quoted('error', attempt.error),
    ...quoted(`notes for the next attempt${notedAt}`, attempt.checkpoint),
    ...quoted('late result, refused because the task had moved on', attempt.lateResult),
  ];
}

/** Already shown with the attempts. */
const HIDDEN = new Set(['attemptState', 'incarnation']);

function eventLine(event: StoreEvent, page: Page, now: number): string {
  const { at, kind, workerId, epoch, actor } = event;
  const who = actor === null ? workerId : describeLeader(actor);
  const parts = [epoch !== null && `epoch ${epoch}`, who !== null && `by ${who}`, ...factsOf(event)];
  const line = `${formatAgo(at, now).padEnd(12)} ${kind.padEnd(18)} ${parts.filter(Boolean).join(' · ')}`;
  return `  ${oneLine(line, page.width - 2)}`;
}

const TIMES: Readonly<Record<string, string>> = { runAt: 'due', deadlineAt: 'ends' };

/** Skips empty facts; shows a time relative to the event. */
function factsOf({ at, data }: StoreEvent): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    if (!value || HIDDEN.has(name)) return [];
    const time = ownValue(TIMES, name);
    if (time === undefined) return [`${name} ${value}`];
    // the store keeps the time of a further try that there is not
    if (name === 'runAt' && (data.state ?? 'queued') !== 'queued') return [];
    return Number(value) > at ? [`${time} ${formatSeconds(Number(value) - at)} later`] : [];
  });
}
