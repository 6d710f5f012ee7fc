import { remainingInWords } from '../../budget/timeBudget.ts';
import type { LockHolder } from '../../schemas/lockHolder.ts';
import type { Leftover } from '../../system/leftovers.ts';
import type { ChecksDecision } from './decideChecks.ts';
import { failingPart } from './failingPart.ts';
import type { FolderLock } from './folderLock.ts';
import type { Check, CheckResult, FailedCheck } from './types.ts';

/** Claude Code gives the model every reason twice, so what is shown of the output is short; the agent can run the check. */
const LONGEST_REASON = 3_000;

/** What the agent is told when it is sent back. */
export function blockReason(
  decision: Extract<ChecksDecision, { type: 'block' }>,
  results: readonly CheckResult[],
  otherSessions = 0,
): string {
  const { failures, session } = decision;
  const head = `Not done yet: ${count(failures.length, 'check')} of ${results.length} failed.`;
  const again =
    session.unchanged > 0
      ? 'No file changed since the last stop. If you cannot fix this, say why and stop again.'
      : 'Fix the failures, then stop; the checks will run again.';
  const others = otherSessions === 0 ? [] : [othersHint(otherSessions)];
  const room = Math.max(500, Math.floor((LONGEST_REASON - head.length - again.length - 200) / failures.length));
  return [head, ...failures.map((failure) => failureText(failure, room)), ...others, again].join('\n\n');
}

function failureText({ check, how, output }: FailedCheck, room: number): string {
  const title =
    check.name === check.commandText ? `\`${check.commandText}\`` : `${check.name} (\`${check.commandText}\`)`;
  const part = failingPart(output, check.lines);
  if (part === '') return `${title} ${how}, and printed nothing.`;
  const shown = part.length > room ? `[… cut]\n${part.slice(-room)}` : part;
  return `${title} ${how}:\n${shown}`;
}

const names = (failures: readonly FailedCheck[]) => failures.map(({ check }) => check.name).join(', ');

/** What people are told when the agent is let go although checks fail. */
export function letGoNote(decision: Extract<ChecksDecision, { type: 'stalled' | 'capped' }>): string {
  const failing = `${count(decision.failures.length, 'check')} still failing (${names(decision.failures)})`;
  if (decision.type === 'capped') {
    return `Stopgate: capped. ${failing}; this session was sent back ${decision.session.blocks} times, so it may stop now.`;
  }
  return `Stopgate: stalled. ${failing}; nothing changed in the last ${decision.session.unchanged + 1} stops, so it may stop now.`;
}

/** What people are told of checks that were not run although they count; null when there is nothing to tell. */
export function notRunNote(results: readonly CheckResult[]): string | null {
  const late = results.filter((result) => result.type === 'outOfTime');
  const namesOf = (wanted: boolean) => late.filter(({ started }) => started === wanted).map(({ check }) => check.name);
  const [cut, left] = [namesOf(true).join(', '), namesOf(false).join(', ')];
  const parts = [cut && `the time ran out before ${cut} finished`, left && `no time was left for ${left}`];
  const words = parts.filter((part) => part !== '').join(', and ');
  return words === '' ? null : `Stopgate: ${words}; the stop was not held for it.`;
}

/** Nothing can be remembered of files whose state is not known. */
export const roughFilesNote = (reason: string, isUnlikeStart: boolean) =>
  `Stopgate: the files could not be read exactly, so passes are not remembered, and changes are detected by names, sizes and times${
    isUnlikeStart ? '; whether files changed since the session began is not known' : ''
  }. ${reason}`;

export const notRememberedNote = (reason: string) =>
  `Stopgate: passes are not remembered, because not all that a check sees is known. ${reason}`;

/** Of a session whose tools may have changed files, whose change it was cannot be told. */
const othersHint = (others: number) =>
  `${count(others, 'other session')} worked in this folder meanwhile. If a failure is not of your making, say so and stop again without changing files.`;

export const OTHERS_NOTE =
  'Stopgate: files changed since this session began, but it called no tool that can change files. Another session or a person changed them, so this session was not held to the checks.';

export const waitingNote = (holder: LockHolder | undefined) =>
  `Stopgate: waiting for the checks of another session in this folder (process ${holder?.pid ?? 'unknown'}).`;

/** What people read about the wait for another session's checks. */
export function lockNotes(lock: FolderLock): readonly string[] {
  if (lock.type === 'failed') {
    return [
      `Stopgate: the folder could not be locked (${lock.reason}), so checks of another session may run beside these.`,
    ];
  }
  const waited = remainingInWords(Math.round(lock.waitedMs / 1000));
  if (lock.type === 'taken') {
    return [`Stopgate: the checks of another session (process ${lock.pid ?? 'unknown'}) still ran after ${waited}.`];
  }
  return lock.waitedFor.size === 0
    ? []
    : [`Stopgate: waited ${waited} for the checks of another session in this folder.`];
}

export const leftoversNote = ({ name }: Check, leftovers: readonly Leftover[]) =>
  `Stopgate: the check ${name} left ${count(leftovers.length, 'process', 'processes')} running, now ended: ${listed(leftovers)}.`;

export const strandedNote = (leftovers: readonly Leftover[]) =>
  `Stopgate: earlier checks that were killed left ${count(leftovers.length, 'process', 'processes')} running, now ended: ${listed(leftovers)}.`;

const listed = (leftovers: readonly Leftover[]) =>
  leftovers.map(({ pid, command }) => `${command} (process ${pid})`).join(', ');

const count = (n: number, what: string, many = `${what}s`) => `${n} ${n === 1 ? what : many}`;
