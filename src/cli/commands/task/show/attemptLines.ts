import { ago } from '../../../output/ago.ts';
import type { Page } from '../../../output/page.ts';
import { oneLine, visibleText } from '../../../output/visibleText.ts';
import type { Attempt } from '../../../wiring/store/openedStore.ts';
import { shortAge } from '../taskFacts.ts';

export interface Shown {
  readonly page: Page;
  readonly now: number;
}

/** One claim: who, when, how it ended, and what it left. */
export function attemptLines(attempt: Attempt, { page, now }: Shown): string[] {
  const { epoch, state, workerId, incarnation, claimedAt, endedAt, deadlineAt } = attempt;
  const lasted = endedAt === null ? '' : `, took ${shortAge(endedAt - claimedAt)}`;
  const left = endedAt === null && deadlineAt !== null ? `, ${shortAge(Math.max(0, deadlineAt - now))} left` : '';
  const why = attempt.outcome && attempt.outcome !== state ? ` (${attempt.outcome})` : '';
  const head = `  epoch ${epoch}  ${state}${why}  ${workerId}#${incarnation}  ${ago(claimedAt, now)}${lasted}${left}`;
  const details = Object.entries(attempt.details).map(([name, value]) => `${name} ${value}`);
  const quoted = (title: string, text: string | null) =>
    text ? [`    ${title}:`, page.quote(visibleText(text.trimEnd()), '      ')] : [];
  return [
    oneLineOf(head, page),
    ...(details.length === 0 ? [] : [oneLineOf(`    ${details.join(' · ')}`, page)]),
    ...quoted('error', attempt.error),
    ...quoted(`notes for the next attempt${noted(attempt, now)}`, attempt.checkpoint),
    ...quoted('late result, refused because the task had moved on', attempt.lateResult),
  ];
}

const noted = ({ checkpointAt }: Attempt, now: number) => (checkpointAt === null ? '' : `, ${ago(checkpointAt, now)}`);

const oneLineOf = (text: string, page: Page) => {
  const indent = text.length - text.trimStart().length;
  return `${' '.repeat(indent)}${oneLine(text, page.width - indent)}`;
};
