import type { LockHolder } from '../../schemas/lockHolder.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { describeLeftovers, type Leftover } from '../../system/leftovers.ts';
import type { ChecksDecision } from './decideChecks.ts';
import { failingPart } from './failingPart.ts';
import type { FolderLock } from './folderLock.ts';
import type { Check, CheckResult, FailedCheck } from './types.ts';

/** Claude Code gives the model every reason twice, so the output is cut short; the agent can run the check itself. */
const LONGEST_REASON = 3_000;

/** For the agent, when its stop is blocked. */
export function blockReason(
  decision: Extract<ChecksDecision, { type: 'block' }>,
  results: readonly CheckResult[],
  { others: otherSessions = 0, changed = [] }: { readonly others?: number; readonly changed?: readonly string[] } = {},
): string {
  const { failures, session } = decision;
  const head = `Not done yet: ${failures.length} of ${count(results.length, 'check')} failed.`;
  const next =
    session.unchanged > 0
      ? 'No file has changed since your last stop. If you cannot fix this, explain why and stop again.'
      : 'Fix the failures, then stop; the checks will run again.';
  const others = otherSessions === 0 ? [] : [othersHint(otherSessions)];
  const room = Math.max(500, Math.floor((LONGEST_REASON - head.length - next.length - 200) / failures.length));
  const frozen =
    changed.length === 0
      ? []
      : [
          `Note: ${changed.join('; ')}. Only the versions from the start of this session count; a person can accept others.`,
        ];
  return [head, ...failures.map((failure) => failureText(failure, room)), ...frozen, ...others, next].join('\n\n');
}

function failureText({ check, how, output }: FailedCheck, room: number): string {
  const title =
    check.name === check.commandText ? `\`${check.commandText}\`` : `${check.name} (\`${check.commandText}\`)`;
  const part = failingPart(output, check.lines);
  if (part === '') return `${title} ${how}, with no output.`;
  const shown = part.length > room ? `[… cut]\n${part.slice(-room)}` : part;
  return `${title} ${how}:\n${shown}`;
}

/** Whose change it was is unknown when this session's tools may have changed files too. */
const othersHint = (others: number) =>
  `${count(others, 'other session')} worked in this folder at the same time. If you did not cause a failure, say so and stop again without changing files.`;

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

const leftNote = (who: string, leftovers: readonly Leftover[]) => {
  return `Stopgate: ${who} ${count(leftovers.length, 'process', 'processes')} running, now ended: ${describeLeftovers(leftovers)}.`;
};

const count = (n: number, what: string, many = `${what}s`) => `${n} ${n === 1 ? what : many}`;
