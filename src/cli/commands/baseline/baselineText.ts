import type { BaselineEntry } from '../../../schemas/baseline.ts';
import { whyVoid } from '../../../stop/checks/baseline.ts';
import { countFailures } from '../../../stop/checks/failureSet.ts';
import type { Check } from '../../../stop/checks/types.ts';
import { formatAgo, formatSeconds } from '../../../system/formatDuration.ts';
import type { Page } from '../../output/page.ts';
import { type Cell, tableOrList } from '../../output/table.ts';
import { oneLine } from '../../output/visibleText.ts';

/** One check that was run to accept its failures. */
export interface CheckedNow {
  readonly name: string;
  readonly outcome: 'accepted' | 'passed' | 'notAccepted';
  readonly entry: BaselineEntry | null;
  readonly words: string;
  readonly severity: Check['severity'];
}

const STYLES = { accepted: 'yellow', passed: 'green', notAccepted: 'red' } as const;

export function baselineText(checked: readonly CheckedNow[], page: Page, now: number): string {
  const rows = checked.map(({ name, outcome, entry, words }): readonly Cell[] => [
    { text: name },
    { text: outcome === 'notAccepted' ? 'not accepted' : outcome, style: STYLES[outcome] },
    { text: entry === null ? words : `${countFailures(entry.failures)}, ${expiryOf(entry, now)}` },
  ]);
  const after = afterWords(checked).map((sentence) => page.block(sentence, 0));
  return `${tableOrList(page, ['CHECK', 'NOW', 'DETAILS'], rows)}\n${after.join('\n')}\n`;
}

/** What that means from now on. A check that only advises blocks neither before nor after. */
function afterWords(checked: readonly CheckedNow[]): readonly string[] {
  const accepted = checked.filter(({ outcome }) => outcome === 'accepted');
  if (accepted.length === 0) return ['Nothing was accepted.'];
  const advising = accepted.filter(({ severity }) => severity === 'warn').map(({ name }) => oneLine(name));
  const [only, them] = advising.length === 1 ? ['only advises', 'it now advises'] : ['only advise', 'they now advise'];
  return [
    ...(accepted.length > advising.length ? ['These checks now block only on new failures.'] : []),
    ...(advising.length > 0
      ? [
          `${advising.join(', ')} ${only} (severity warn) and never ${advising.length === 1 ? 'blocks' : 'block'}: ${them} only on new failures.`,
          'Such a session ends as accepted, which is not proof; without this it ends as advised.',
        ]
      : []),
    '`stopgate baseline --remove NAME` takes that back.',
  ];
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

export function listText(rows: readonly Listed[], page: Page, now: number): string {
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
  return `${tableOrList(page, titles, cells)}\n`;
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
