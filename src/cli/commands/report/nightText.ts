import { describeUnlanded } from '../../../launch/land/landingLease.ts';
import { attemptRecordOf } from '../../../stop/attemptRecord.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import { describeOutcome, outcomeWord } from '../../output/outcomes.ts';
import type { Page } from '../../output/page.ts';
import { shortIds } from '../../output/shortIds.ts';
import { visibleText } from '../../output/visibleText.ts';
import { describeSpend } from '../receipt/receiptLines.ts';
import { counted, type Night, type NightSession } from './nightOf.ts';

/** A part of the report; without lines it is left out. */
interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const countText = (counts: readonly { readonly what: string; readonly count: number }[]) =>
  counts.map(({ what, count }) => `${count} ${what}`).join(', ');

/** The same words for a terminal and for Markdown. */
function sectionsOf(night: Night): readonly Section[] {
  const { sessions, failures, notRecorded } = night;
  if (sessions.length === 0) {
    return [
      { title: 'Sessions', lines: ['Nothing ran: the ledger has no line of this time.'] },
      ...taskSections(night),
      ...(waitingCount(night) === 0 ? [] : [waitingSection(night)]),
    ];
  }
  const short = shortIds(sessions.map(({ session }) => session));
  const endings = counted(sessions.map(({ outcome }) => outcomeWord(outcome)));
  const some = failures.filter(({ count }) => count > 1);
  return [
    {
      title: `Sessions: ${sessions.length} (${countText(endings)})`,
      lines: sessions.map((one) => sessionLine(one, short)),
    },
    ...taskSections(night),
    { title: 'Spend', lines: [spendLine(night)] },
    waitingSection(night),
    { title: 'Failures by reason', lines: some.map(({ what, count }) => `${count} times: ${what}`) },
    {
      title: 'Not on record',
      lines: notRecorded.map((session) => `${session}: its record is full, later decisions are missing`),
    },
  ];
}

/** Null when it is not known. */
function waitingCount({ waiting, waitingTasks, reviews, unlanded }: Night): number | null {
  return waitingTasks === null ? null : waiting.length + waitingTasks.length + (reviews ?? 0) + (unlanded ?? 0);
}

function waitingSection(night: Night): Section {
  const { sessions, waiting, waitingTasks, reviews, unlanded } = night;
  const short = shortIds(sessions.map(({ session }) => session));
  const count = waitingCount(night);
  if (count === 0) return { title: 'Waits for a person', lines: ['Nothing.'] };
  return {
    title: `Waits for a person: ${count ?? 'not known'}`,
    lines: [
      ...waiting.map(({ session, reason, advice }) => `${short(session)}: ${reason}. ${advice}`),
      ...(waitingTasks ?? []).map(waitingTask),
      ...(reviews
        ? [`${reviews} finished attempt${reviews === 1 ? ' waits' : 's wait'} for review: stopgate review`]
        : []),
      ...(unlanded ? [describeUnlanded(unlanded)] : []),
      ...(count === null ? ['Tasks and reviews: not known, because the task store could not be read.'] : []),
    ],
  };
}

/** The reason of a dead task has what its agent printed, in many lines; `task show` has them. */
function waitingTask({ id, title, status, reason }: NonNullable<Night['waitingTasks']>[number]): string {
  const why = reason?.trim().split('\n', 1)[0]?.replace(/\.$/, '');
  const next =
    status === 'held'
      ? `\`stopgate task unhold ${id}\` releases it.`
      : `\`stopgate task show ${id}\` has the details, \`stopgate task retry ${id}\` queues it again.`;
  return `task ${id} (${title}) is ${status}${why ? `: ${why}` : ''}. ${next}`;
}

function taskSections({ tasks }: Night): readonly Section[] {
  if (tasks === null) return [];
  if (typeof tasks === 'string') return [{ title: 'Tasks', lines: [tasks] }];
  return [{ title: 'Tasks', lines: [tasks.length === 0 ? 'None was settled.' : `${countText(tasks)}.`] }];
}

function sessionLine(one: NightSession, short: (id: string) => string): string {
  const { session, agent, lastAt, outcome, reason, stops, sentBack, waived, folder } = one;
  const back = sentBack === 0 ? '' : `, sent back ${sentBack} of ${stops} times`;
  const accepted = waived.length === 0 ? '' : `, waived: ${waived.join(', ')}`;
  const what = describeOutcome(outcome, reason);
  const who = attemptRecordOf({ session, agent })?.type === 'command' ? 'command' : agent;
  return `${lastAt.slice(11, 16)}Z  ${short(session)}  ${who}  ${what}${back}${accepted} (${folder})`;
}

function spendLine({ spend, sessionsWithoutSpend }: Night): string {
  const unknown =
    sessionsWithoutSpend === 0
      ? ''
      : `; not known for ${sessionsWithoutSpend} session${sessionsWithoutSpend === 1 ? '' : 's'}`;
  return `${describeSpend(spend)}${spend === null ? '' : unknown}`;
}

const heading = ({ since, until }: Night) =>
  `${since.slice(0, 16)}Z to ${until.slice(0, 16)}Z (${formatSeconds(Date.parse(until) - Date.parse(since))})`;

/** The page of `stopgate report`. */
export function nightText(night: Night, page: Page): string {
  const sections = sectionsOf(night).filter(({ lines }) => lines.length > 0);
  return [
    page.paint('bold', page.block(heading(night), 0)),
    ...sections.flatMap(({ title, lines }) => [
      '',
      page.paint('bold', page.block(title, 0)),
      ...lines.map((line) => page.block(visibleText(line), 2)),
    ]),
    '',
  ].join('\n');
}

export function nightMarkdown(night: Night): string {
  const plain = (text: string) => visibleText(text).replaceAll(/[\\`*_[\]<>|~#]/g, '\\$&');
  const sections = sectionsOf(night).filter(({ lines }) => lines.length > 0);
  return [
    `## ${heading(night)}`,
    ...sections.flatMap(({ title, lines }) => [
      '',
      `### ${plain(title)}`,
      '',
      ...lines.map((line) => `- ${plain(line)}`),
    ]),
    '',
  ].join('\n');
}
