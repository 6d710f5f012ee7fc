import { formatAgo, formatSeconds } from '../../../../system/formatDuration.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import type { Page } from '../../../output/page.ts';
import { oneLine, visibleText } from '../../../output/visibleText.ts';
import type { Attempt, StoreEvent } from '../../../wiring/store/openedStore.ts';

interface Shown {
  readonly page: Page;
  readonly now: number;
}

/** One claim: by which worker, when, how it ended, and what it left. */
export function attemptLines(attempt: Attempt, { page, now }: Shown): string[] {
  const { epoch, state, workerId, incarnation, claimedAt, endedAt, deadlineAt, checkpointAt } = attempt;
  const lasted = endedAt === null ? '' : `, took ${formatSeconds(endedAt - claimedAt)}`;
  const left = endedAt === null && deadlineAt !== null ? `, ${formatSeconds(Math.max(0, deadlineAt - now))} left` : '';
  const why = attempt.outcome && attempt.outcome !== state ? ` (${attempt.outcome})` : '';
  const head = `epoch ${epoch}  ${state}${why}  ${workerId}#${incarnation}  ${formatAgo(claimedAt, now)}${lasted}${left}`;
  const details = Object.entries(attempt.details).map(([name, value]) => `${name} ${value}`);
  const notedAt = checkpointAt === null ? '' : `, ${formatAgo(checkpointAt, now)}`;
  const quoted = (title: string, text: string | null) =>
    text ? [`    ${title}:`, page.quote(visibleText(text.trimEnd()), '      ')] : [];
  return [
    `  ${oneLine(head, page.width - 2)}`,
    ...(details.length === 0 ? [] : [`    ${oneLine(details.join(' · '), page.width - 4)}`]),
    ...quoted('error', attempt.error),
    ...quoted(`notes for the next attempt${notedAt}`, attempt.checkpoint),
    ...quoted('late result, refused because the task had moved on', attempt.lateResult),
  ];
}

/** Already shown with the attempts. */
const HIDDEN = new Set(['attemptState', 'incarnation']);

export function eventLine(event: StoreEvent, { page, now }: Shown): string {
  const { at, kind, workerId, epoch, actor } = event;
  const who = actor ?? workerId;
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
    return Number(value) > at ? [`${time} ${formatSeconds(Number(value) - at)} later`] : [];
  });
}
