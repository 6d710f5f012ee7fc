import { type Clock, wallNow } from '../../system/clock.ts';

export type StoreClock = Pick<Clock, 'now' | 'wall' | 'sinceBoot'>;

/** The wall time of the machine's start, and how far the store's time is ahead of the wall clock. */
interface ClockRow {
  readonly boot: string;
  readonly bootedAt: number;
  readonly aheadMs: number;
}

/** A wall clock that moved by more than this against the time since boot was set; a smaller drift is followed. */
const SET_MS = 1_000;
/** Reading the time since boot is expensive: done only for a difference beyond this. */
const NOTICED_MS = 250;

const READ = 'SELECT boot, booted_at, ahead_ms FROM clock';
const WRITE = `INSERT INTO clock VALUES (1, ?, ?, ?) ON CONFLICT (only) DO UPDATE
  SET boot = excluded.boot, booted_at = excluded.booted_at, ahead_ms = excluded.ahead_ms`;
const LAST_EVENT = 'SELECT at FROM events ORDER BY seq DESC LIMIT 1';

/** The part of `Tables` that the clock needs. */
interface ClockTables {
  get<Row>(sql: string, ...values: readonly (string | number | null)[]): Row | undefined;
  run(sql: string, ...values: readonly (string | number | null)[]): void;
}

/**
 * The time of a file store, whose processes all share one machine's wall clock. When that clock is set, the time since boot shows
 * it: the store's time continues, and the difference is a row that every process reads, so waits and heartbeats keep their age.
 * After a reboot it starts with the wall time again, but never before the last event.
 */
export function openStoreClock(tables: ClockTables, clock: StoreClock): (writing: boolean) => number {
  let aheadMs = 0;
  /** Wall minus monotonic time when the row was last read. */
  let seen = Number.NaN;
  return (writing) => {
    const boot = clock.sinceBoot?.();
    // without a boot id, reboots cannot be detected: use the wall clock
    if (!boot) return wallNow(clock);
    const wall = wallNow(clock);
    const apart = wall - boot.monotonicMs();
    if (Math.abs(apart - seen) <= NOTICED_MS) return wall + aheadMs;
    const before = tables.get<ClockRow>(READ);
    const row = decideClock(before, {
      boot: boot.id,
      wall,
      sinceBootMs: boot.ms(),
      lastEventAt: () => tables.get<{ at: number }>(LAST_EVENT)?.at ?? 0,
    });
    if (row === before || writing) {
      if (row !== before) tables.run(WRITE, row.boot, row.bootedAt, row.aheadMs);
      aheadMs = row.aheadMs;
      seen = apart;
    }
    return wall + row.aheadMs;
  };
}

interface ClockFacts {
  readonly boot: string;
  readonly wall: number;
  readonly sinceBootMs: number;
  readonly lastEventAt: () => number;
}

/** The row as it should be; the same object when nothing changed. */
export function decideClock(
  before: ClockRow | undefined,
  { boot, wall, sinceBootMs, lastEventAt }: ClockFacts,
): ClockRow {
  const bootedAt = Math.round(wall - sinceBootMs);
  if (before?.boot !== boot) return { boot, bootedAt, aheadMs: Math.max(0, lastEventAt() - wall) };
  const setBy = bootedAt - before.bootedAt;
  return Math.abs(setBy) <= SET_MS ? before : { boot, bootedAt, aheadMs: before.aheadMs - setBy };
}
