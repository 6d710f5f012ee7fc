import type { SessionChecks } from '../../schemas/sessionChecks.ts';
import { hashOf, normalLine, outputLines } from './outputLines.ts';
import type { CheckResult, DefinitionOfDone, FailedCheck } from './types.ts';

/** May the agent stop, by its checks? `session` is what to remember for its next stop. */
export type ChecksDecision =
  | { readonly type: 'pass'; readonly session: SessionChecks }
  | { readonly type: 'block'; readonly failures: readonly FailedCheck[]; readonly session: SessionChecks }
  /** It was sent back and made no progress: blocking again would only burn tokens. */
  | { readonly type: 'stalled'; readonly failures: readonly FailedCheck[]; readonly session: SessionChecks }
  | { readonly type: 'capped'; readonly failures: readonly FailedCheck[]; readonly session: SessionChecks };

export interface ChecksFacts {
  readonly results: readonly CheckResult[];
  /** Of the files at the stop. */
  readonly digest: string;
  /** Of the files after the checks, which often write some: the next stop is compared with this. */
  readonly digestAfter: string;
  /** The agent knows of other progress since its last stop, such as the states of its tasks. */
  readonly hasOtherProgress?: boolean;
  readonly session: SessionChecks;
  readonly limits: Pick<DefinitionOfDone, 'stallAfter' | 'maxBlocks'>;
}

/** Blocks are free while the work changes: its files, what fails, or what the agent reports. */
export function decideChecks(facts: ChecksFacts): ChecksDecision {
  const { results, digest, digestAfter, session, limits, hasOtherProgress = false } = facts;
  const failures = results.filter((result): result is FailedCheck => result.type === 'failed');
  // a pass resets the unchanged stops, but not the blocks: a session may alternate between both
  if (failures.length === 0) return { type: 'pass', session: { ...session, ...NOTHING_BLOCKED } };
  const failedAt = failuresDigest(failures);
  const failsAlike = session.failedAt === null || session.failedAt === failedAt;
  const same = digest === session.blockedAt && failsAlike && !hasOtherProgress;
  const unchanged = same ? session.unchanged + 1 : 0;
  const attempts = session.attempts + 1;
  const next = { ...session, blockedAt: digestAfter, failedAt, unchanged, attempts };
  if (session.blocks >= limits.maxBlocks) return { type: 'capped', failures, session: next };
  if (unchanged >= limits.stallAfter) return { type: 'stalled', failures, session: next };
  return { type: 'block', failures, session: { ...next, blocks: session.blocks + 1 } };
}

const NOTHING_BLOCKED = { blockedAt: null, failedAt: null, unchanged: 0, attempts: 0, sent: {} } as const;

/**
 * A digest of what fails, by which a stop is compared with the one before. Coarser than a baseline: all numbers are left out,
 * since a seed or a port that a check prints is not progress.
 */
function failuresDigest(failures: readonly FailedCheck[]): string {
  const parts = failures.map(({ check, how, output, found }) => {
    const isTests = typeof found === 'object' && found.by === 'tests';
    const items = isTests
      ? found.items
      : outputLines(output, check.folder).flatMap(({ text, key }) => (key === null ? [] : coarse(text, check.folder)));
    return [check.name, coarse(how, check.folder), ...new Set(items.toSorted())];
  });
  return hashOf(JSON.stringify(parts));
}

const coarse = (text: string, folder: string) => normalLine(text, [folder]).replaceAll(/[0-9a-f]*\d[0-9a-f]*/gi, '#');
