import { failureText } from '../checks/blockReason.ts';
import { type CheckResult, type FailedCheck, NEW_SESSION } from '../checks/types.ts';
import { endingOfChecks, type GateEnding } from '../ending.ts';

export interface Verdict {
  readonly type: 'pass' | 'reject';
  /** For the ledger and the receipt. */
  readonly ending: GateEnding;
  /** One line: it becomes the error of the attempt and the result in lists. */
  readonly reason: string;
  /** For the next attempt: the failing part of the output. */
  readonly notes: string | null;
}

export interface VerdictFacts {
  readonly results: readonly CheckResult[];
  /** Null when there was none. */
  readonly commit: string | null;
  /** Why there was no commit to check out. */
  readonly inPlace: string | null;
}

const MOST_NOTES = 6_000;

/** Every check that has to pass must have run and passed: one that could not run proves nothing. */
export function verdictOf({ results, commit, inPlace }: VerdictFacts): Verdict {
  const failures = results.filter((result): result is FailedCheck => result.type === 'failed');
  const where =
    commit === null ? `in its folder, as it was (${inPlace})` : `in a clean checkout of ${commit.slice(0, 12)}`;
  if (results.length === 0) {
    const how = 'there is nothing to check, so nothing is proven';
    const ending: GateEnding = { type: 'error', reason: `error (${how})`, checks: [] };
    return { type: 'reject', ending, reason: `Verification failed ${where}: ${how}.`, notes: null };
  }
  if (failures.length > 0) {
    const ending = endingOfChecks({ type: 'block', failures, session: NEW_SESSION }, results);
    const list = failures.map(({ check, how }) => `${check.name} ${how}`).join('; ');
    const reason = `Verification failed ${where}: ${list}.`;
    return { type: 'reject', ending, reason, notes: notesOf(reason, failures) };
  }
  const ending = endingOfChecks({ type: 'pass', session: NEW_SESSION }, results);
  return { type: 'pass', ending, reason: `Verified ${where}: ${ending.reason}.`, notes: null };
}

function notesOf(reason: string, failures: readonly FailedCheck[]): string {
  const room = Math.floor(MOST_NOTES / failures.length);
  const texts = failures.map((failure) => failureText(failure, failure.output.split('\n'), room));
  const hint =
    'A verifier ran this with the checks as they were when the attempt began, and without files that git ignores.';
  return [reason, hint, ...texts].join('\n\n');
}
