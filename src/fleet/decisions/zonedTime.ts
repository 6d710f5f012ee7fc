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
  const zone = timeZone ?? '';
  const known = formats.get(zone) ?? newFormat(timeZone);
  formats.set(zone, known);
  return known.format(instant);
}

/** Kept: to make one takes ten times as long as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function newFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const style = { dateStyle: 'short', timeStyle: 'medium' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat('sv-SE', style);
  }
}

/** Why a name is not that of a time zone; undefined when it is. */
export function whyNoZone(name: string): string | undefined {
  try {
    new Intl.DateTimeFormat('sv-SE', { timeZone: name });
    return undefined;
  } catch {
    return `"${name}" is not a time zone; use a name such as Europe/Berlin or UTC`;
  }
}
