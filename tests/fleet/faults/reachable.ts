import type { History, HistoryEntry } from './history.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

type Kind = 'away' | 'disturbed';

/** Which entry begins and ends what: `away` is without any way to the store, `disturbed` also with a bad one. */
const BEGINS: { readonly [Type in Kind]: readonly HistoryEntry['op'][] } = {
  away: ['cut', 'serverDown', 'machineKilled'],
  disturbed: ['cut', 'serverDown', 'machineKilled', 'lossy', 'workersKilled'],
};
const ENDS: Partial<Record<HistoryEntry['op'], readonly HistoryEntry['op'][]>> = {
  joined: ['cut', 'lossy'],
  serverUp: ['serverDown'],
  // one bad way takes the place of another
  lossy: ['cut'],
  cut: ['lossy'],
};

/** The times at which a machine had no way to its store, or a bad one. What was killed stays away. */
function troubles({ entries }: History, machine: string, kind: Kind): Span[] {
  const open = new Map<HistoryEntry['op'], number>();
  const spans: Span[] = [];
  for (const entry of entries) {
    if ('machine' in entry && entry.machine !== machine) continue;
    for (const op of ENDS[entry.op] ?? []) {
      const from = open.get(op);
      if (from !== undefined) spans.push({ from, to: entry.at });
      open.delete(op);
    }
    if (entry.op === 'workersKilled' && kind === 'disturbed') spans.push({ from: entry.at, to: entry.at });
    else if (BEGINS[kind].includes(entry.op) && !open.has(entry.op)) open.set(entry.op, entry.at);
  }
  return [...spans, ...[...open.values()].map((from) => ({ from, to: Number.POSITIVE_INFINITY }))];
}

/** How long a machine could reach the store between two times. */
export function reachableMs(history: History, machine: string, { from, to }: Span): number {
  let at = from;
  let reachable = 0;
  for (const span of troubles(history, machine, 'away').toSorted((one, other) => one.from - other.from)) {
    if (span.to <= at || span.from >= to) continue;
    reachable += Math.max(0, span.from - at);
    at = Math.max(at, span.to);
  }
  return reachable + Math.max(0, to - at);
}

export const isTroubled = (history: History, machine: string, { from, to }: Span): boolean =>
  troubles(history, machine, 'disturbed').some((span) => span.from <= to && span.to >= from);
