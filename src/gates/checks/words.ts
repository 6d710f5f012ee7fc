import type { ChecksDecision } from './decideChecks.ts';
import { failingPart } from './failingPart.ts';
import type { CheckResult, FailedCheck } from './types.ts';

/** Hosts cut or refuse longer ones; the agent reads the head. */
const LONGEST_REASON = 8_000;

/** What the agent is told when it is sent back. */
export function blockReason(
  decision: Extract<ChecksDecision, { type: 'block' }>,
  results: readonly CheckResult[],
): string {
  const { failures, session } = decision;
  const head = `Not done yet: ${count(failures.length, 'check')} of ${results.length} failed.`;
  const again =
    session.unchanged > 0
      ? 'No file has changed since you were last sent back. If you cannot mend this, say what stands in the way and stop again.'
      : 'Mend what failed, then stop; the checks run again by themselves.';
  const room = Math.max(500, Math.floor((LONGEST_REASON - head.length - again.length) / failures.length));
  return [head, ...failures.map((failure) => failureText(failure, room)), again].join('\n\n');
}

function failureText({ check, how, output }: FailedCheck, room: number): string {
  const title =
    check.name === check.commandText ? `\`${check.commandText}\`` : `${check.name} (\`${check.commandText}\`)`;
  const part = failingPart(output, check.lines);
  if (part === '') return `${title} ${how}, and printed nothing.`;
  const shown = part.length > room ? `[… the beginning was left out]\n${part.slice(-room)}` : part;
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
  const late = results.filter(({ type }) => type === 'outOfTime');
  if (late.length === 0) return null;
  return `Stopgate: no time was left for ${late.map(({ check }) => check.name).join(', ')}; the stop was not held for it.`;
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
