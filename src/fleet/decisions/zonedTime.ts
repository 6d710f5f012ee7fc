/** A day and a time of day as a wall clock shows them. Months from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The instant at which clocks of a time zone show this; a skipped time is moved behind the gap. */
export function instantOf(wall: WallTime, zone: string | undefined): number {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const first = asUtc - offsetAt(asUtc, zone);
  // the offset of that instant, not of the one with the same digits in UTC
  return asUtc - offsetAt(first, zone);
}

export function wallTimeAt(instant: number, zone: string | undefined): WallTime {
  const parts = formatOf(zone).formatToParts(instant);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
  };
}

function offsetAt(instant: number, zone: string | undefined): number {
  const { year, month, day, hour, minute } = wallTimeAt(instant, zone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / 60_000) * 60_000;
}

/** An unknown zone falls back to this machine's. */
function formatOf(zone: string | undefined): Intl.DateTimeFormat {
  const options = {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-US', options);
  }
}
