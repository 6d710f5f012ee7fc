import type { LockHolder } from '../../schemas/lockHolder.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { describeLeftovers, type Leftover } from '../../system/leftovers.ts';
import type { ChecksDecision } from './decideChecks.ts';
import type { FolderLock } from './folderLock.ts';
import type { Check, CheckResult } from './types.ts';

/** For people, when the agent may stop although checks fail. */
export function gaveUpNote({
  type,
  failures,
  session,
}: Extract<ChecksDecision, { type: 'stalled' | 'capped' }>): string {
  const names = failures.map(({ check }) => check.name).join(', ');
  const why =
    type === 'capped'
      ? `this session was sent back ${session.blocks} times`
      : `nothing changed in the last ${session.unchanged + 1} stops`;
  return `Stopgate: ${type}. ${count(failures.length, 'check')} still failing (${names}); ${why}, so it may stop now.`;
}

/** For people, about checks for which there was no time; null when there are none. */
export function notRunNote(results: readonly CheckResult[]): string | null {
  const late = results.filter((result) => result.type === 'outOfTime');
  const namesOf = (wanted: boolean) => late.filter(({ started }) => started === wanted).map(({ check }) => check.name);
  const [cut, left] = [namesOf(true).join(', '), namesOf(false).join(', ')];
  const parts = [cut && `the time ran out before ${cut} finished`, left && `no time was left for ${left}`];
  const words = parts.filter((part) => part !== '').join(', and ');
  return words === '' ? null : `Stopgate: ${words}; the stop was not blocked for this.`;
}

/** For people, about failures that did not block: accepted ones and advice. */
export function notBlockingNotes(results: readonly CheckResult[]): readonly string[] {
  const accepted = results.flatMap((one) => (one.type === 'accepted' ? [`${one.check.name} (${one.words})`] : []));
  const advised = results.flatMap((one) => (one.type === 'advised' ? [`${one.check.name} ${one.how}`] : []));
  return [
    ...(accepted.length === 0 ? [] : [`Stopgate: accepted failures: ${accepted.join('; ')}.`]),
    ...(advised.length === 0 ? [] : [`Stopgate: advice: ${advised.join('; ')}; this does not block.`]),
  ];
}

export const roughFilesNote = (reason: string, isUnlikeStart: boolean) =>
  `Stopgate: the files could not be read exactly, so passes are not remembered, and changes are detected by names, sizes and times${
    isUnlikeStart ? '; whether files changed since the session began is not known' : ''
  }. ${reason}`;

export const notRememberedNote = (reason: string) =>
  `Stopgate: passes are not remembered, because not everything that a check reads is known. ${reason}`;

export const OTHERS_NOTE =
  'Stopgate: files changed since this session began, but it called no tool that can change files. Another session or a person changed them, so this session was not held to the checks.';

export const waitingNote = (holder: LockHolder | undefined) =>
  `Stopgate: waiting for the checks of another session in this folder (process ${holder?.pid ?? 'unknown'}).`;

/** For people, about the wait for another session's checks. */
export function lockNotes(lock: FolderLock): readonly string[] {
  if (lock.type === 'failed') {
    return [
      `Stopgate: the folder could not be locked (${lock.reason}), so checks of another session may run at the same time.`,
    ];
  }
  const waited = formatSeconds(lock.waitedMs);
  if (lock.type === 'taken') {
    return [
      `Stopgate: the checks of another session (process ${lock.pid ?? 'unknown'}) were still running after ${waited}.`,
    ];
  }
  return lock.waitedFor.size === 0
    ? []
    : [`Stopgate: waited ${waited} for the checks of another session in this folder.`];
}

export const leftoversNote = ({ name }: Check, leftovers: readonly Leftover[]) =>
  leftNote(`the check ${name} left`, leftovers);

export const strandedNote = (leftovers: readonly Leftover[]) =>
  leftNote('earlier checks that were killed left', leftovers);

const leftNote = (who: string, leftovers: readonly Leftover[]) =>
  `Stopgate: ${who} ${count(leftovers.length, 'process', 'processes')} running, now ended: ${describeLeftovers(leftovers)}.`;

const count = (n: number, what: string, many = `${what}s`) => `${n} ${n === 1 ? what : many}`;
