import type { BaselineEntry } from '../../../schemas/baseline.ts';
import { whyVoid } from '../../../stop/checks/baseline.ts';
import { countFailures } from '../../../stop/checks/failureSet.ts';
import type { Check } from '../../../stop/checks/types.ts';
import { formatAgo, formatSeconds } from '../../../system/formatDuration.ts';
import type { Page } from '../../output/page.ts';
import { type Cell, tableText } from '../../output/table.ts';

/** One check that was run to accept its failures. */
export interface CheckedNow {
  readonly name: string;
  readonly outcome: 'accepted' | 'passed' | 'notAccepted';
  readonly entry: BaselineEntry | null;
  readonly words: string;
}

const STYLES = { accepted: 'yellow', passed: 'green', notAccepted: 'red' } as const;

export function baselineText(checked: readonly CheckedNow[], { paint, width }: Page, now: number): string {
  const rows = checked.map(({ name, outcome, entry, words }): readonly Cell[] => [
    { text: name },
    { text: outcome === 'notAccepted' ? 'not accepted' : outcome, style: STYLES[outcome] },
    { text: entry === null ? words : `${countFailures(entry.failures)}, ${expiryOf(entry, now)}` },
  ]);
  const isAny = checked.some(({ outcome }) => outcome === 'accepted');
  const after = isAny
    ? 'These checks now block only on new failures. `stopgate baseline --remove NAME` takes that back.'
    : 'Nothing was accepted.';
  return `${tableText({ paint, width, titles: ['CHECK', 'NOW', 'DETAILS'] }, rows)}\n${after}\n`;
}

export interface Listed {
  readonly entry: BaselineEntry;
  /** Why it accepts nothing any more; null when it still counts. */
  readonly why: string | null;
}

export const listed = (entry: BaselineEntry, checks: readonly Check[], now: number): Listed => ({
  entry,
  why: whyVoid(entry, checks, now),
});

export function listText(rows: readonly Listed[], { paint, width }: Page, now: number): string {
  if (rows.length === 0) return 'No failures are accepted here.\n';
  const titles = ['CHECK', 'ACCEPTED', 'BY', 'FAILURES', 'COUNTS', 'REASON'];
  const cells = rows.map(({ entry, why }): readonly Cell[] => [
    { text: entry.check },
    { text: formatAgo(Date.parse(entry.at), now) },
    { text: entry.by },
    { text: countFailures(entry.failures) },
    { text: why === null ? expiryOf(entry, now) : `no: ${why}`, style: why === null ? 'yellow' : 'dim' },
    { text: entry.reason ?? 'no reason given' },
  ]);
  return `${tableText({ paint, width, titles }, cells)}\n`;
}

/** For `status`: `tests: 3 failing tests, accepted 4d ago: legacy suite (expires in 10d)`. */
export function describeListed({ entry, why }: Listed, now: number): string {
  const counts = why === null ? expiryOf(entry, now) : `no longer counts: ${why}`;
  const when = `accepted ${formatAgo(Date.parse(entry.at), now)}: ${entry.reason ?? 'no reason given'}`;
  return `${entry.check}: ${countFailures(entry.failures)}, ${when} (${counts})`;
}

const expiryOf = ({ expiresAt }: BaselineEntry, now: number): string =>
  expiresAt === null ? 'until removed' : `expires in ${formatSeconds(Date.parse(expiresAt) - now)}`;

/** Hashes of lines mean nothing to a reader. */
export function entryJson({ entry, why }: Listed) {
  const { failures, command: _hash, ...facts } = entry;
  const { code, by, items } = failures;
  const tests = by === 'tests' ? { tests: items } : {};
  return {
    ...facts,
    counts: why === null,
    ...(why !== null && { why }),
    failures: { code, by, count: items.length, ...tests },
  };
}
