import { formatSeconds } from '../../../system/formatDuration.ts';
import type { Page } from '../../output/page.ts';
import { visibleText } from '../../output/visibleText.ts';
import { describeSpend } from '../receipt/receiptLines.ts';
import type { Night, NightSession } from './nightOf.ts';

/** A part of the report; without lines it is left out. */
interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const countText = (counts: readonly { readonly what: string; readonly count: number }[]) =>
  counts.map(({ what, count }) => `${count} ${what}`).join(', ');

/** The same words for a terminal and for Markdown. */
function sectionsOf(night: Night): readonly Section[] {
  const { sessions, endings, failures, waiting, waitingTasks, notRecorded } = night;
  if (sessions.length === 0) {
    return [
      { title: 'Sessions', lines: ['Nothing ran: the ledger has no line of this time.'] },
      ...taskSections(night),
    ];
  }
  const some = failures.filter(({ count }) => count > 1);
  return [
    { title: `Sessions: ${sessions.length} (${countText(endings)})`, lines: sessions.map(sessionLine) },
    ...taskSections(night),
    { title: 'Spend', lines: [spendLine(night)] },
    {
      title: 'Waits for a person',
      lines: [
        ...waiting.map(({ session, reason, advice }) => `${session.slice(0, 8)}: ${reason}. ${advice}`),
        ...waitingTasks.map(
          ({ id, title, status, reason }) => `task ${id} (${title}) is ${status}${reason ? `: ${reason}` : ''}`,
        ),
        ...(waiting.length + waitingTasks.length === 0 ? ['Nothing.'] : []),
      ],
    },
    { title: 'Failures by reason', lines: some.map(({ what, count }) => `${count} times: ${what}`) },
    {
      title: 'Not on record',
      lines: notRecorded.map((session) => `${session}: its record is full, later decisions are missing`),
    },
  ];
}

function taskSections({ tasks }: Night): readonly Section[] {
  if (tasks === null) return [];
  if (typeof tasks === 'string') return [{ title: 'Tasks', lines: [tasks] }];
  return [{ title: 'Tasks', lines: [tasks.length === 0 ? 'None was settled.' : `${countText(tasks)}.`] }];
}

function sessionLine({
  session,
  agent,
  lastAt,
  outcome,
  reason,
  stops,
  sentBack,
  waived,
  folder,
}: NightSession): string {
  const back = sentBack === 0 ? '' : `, sent back ${sentBack} of ${stops} times`;
  const accepted = waived.length === 0 ? '' : `, waived: ${waived.join(', ')}`;
  const what = reason.startsWith(outcome) || reason === '' ? reason || outcome : `${outcome}: ${reason}`;
  return `${lastAt.slice(11, 16)}Z  ${session.slice(0, 8)}  ${agent}  ${what}${back}${accepted} (${folder})`;
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
    page.paint('bold', heading(night)),
    ...sections.flatMap(({ title, lines }) => [
      '',
      page.paint('bold', title),
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
