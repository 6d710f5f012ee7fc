import type { FailureSet } from '../../schemas/baseline.ts';
import { added, outputLines } from './outputLines.ts';

/** Why a failure cannot be compared, as the end of a sentence: `it printed nothing that names a failure`. */
export type Found = FailureSet | string;

const MOST_ITEMS = 5_000;
const LONGEST_NAME = 300;

export interface FailedRun {
  readonly code: number;
  readonly output: string;
  /** More was printed than is kept. */
  readonly isCut: boolean;
  /** Where it ran. */
  readonly folder: string;
  /** The failing tests by its report, or why they are not known; undefined for a check without a report. */
  readonly tests: readonly string[] | string | undefined;
}

export function failureSet({ code, output, isCut, folder, tests }: FailedRun): Found {
  if (typeof tests === 'string') return tests;
  if (tests !== undefined) {
    if (tests.length === 0) return 'its report names no failing test';
    return bounded({ code, by: 'tests', items: tests.map((name) => name.slice(0, LONGEST_NAME)) });
  }
  if (isCut) return 'it prints more than is compared; give it a "report"';
  const items = outputLines(output, folder).flatMap(({ key }) => key ?? []);
  return items.length === 0 ? 'it printed nothing that names a failure' : bounded({ code, by: 'lines', items });
}

const bounded = (set: FailureSet): Found =>
  set.items.length > MOST_ITEMS ? `it has more than ${MOST_ITEMS} failures` : { ...set, items: set.items.toSorted() };

/** The difference between an accepted failure and the one now. `fewer`: how much of it is gone. */
export type Comparison =
  | { readonly type: 'accepted'; readonly fewer: number }
  | { readonly type: 'new'; readonly items: readonly string[] }
  /** Nothing can be compared: it ended in another way. */
  | { readonly type: 'unlike'; readonly why: string };

export function compareFailures(accepted: FailureSet, now: Found): Comparison {
  if (typeof now === 'string') return { type: 'unlike', why: now };
  if (now.by !== accepted.by) return { type: 'unlike', why: 'its failures are read in another way now' };
  // runners that exit with the number of failures exit with less when there are fewer; only a report shows that for sure
  const isLess = now.by === 'tests' && now.code < accepted.code;
  if (now.code !== accepted.code && !isLess) {
    return { type: 'unlike', why: `it exited ${now.code} instead of ${accepted.code}` };
  }
  const items = added(accepted.items, now.items);
  return items.length > 0
    ? { type: 'new', items }
    : { type: 'accepted', fewer: accepted.items.length - now.items.length };
}

/** `3 failing tests`, `1 line of output`. */
export function countFailures({ by, items: { length } }: FailureSet): string {
  const many = length === 1 ? '' : 's';
  return by === 'tests' ? `${length} failing test${many}` : `${length} line${many} of output`;
}
