/**
 * Times of wall clocks are milliseconds as if the clock showed UTC. This is the instant at which clocks of a time zone show
 * one; a skipped time is moved behind the gap.
 */
export function instantOf(wall: number, zone: string | undefined): number {
  const offsetAt = (instant: number) => wallTimeAt(instant, zone) - Math.floor(instant / 1_000) * 1_000;
  // the offset of that instant, not of the one with the same digits in UTC
  return wall - offsetAt(wall - offsetAt(wall));
}

/** What clocks of a time zone show; an unknown zone falls back to this machine's. */
export function wallTimeAt(instant: number, zone: string | undefined): number {
  return Date.parse(`${isoTime(instant, zone).replace(' ', 'T')}Z`);
}

/** Swedish times are written like `2026-11-16 15:16:00`. */
function isoTime(instant: number, timeZone: string | undefined): string {
  try {
    return new Date(instant).toLocaleString('sv-SE', { timeZone });
  } catch {
    return new Date(instant).toLocaleString('sv-SE');
  }
}
