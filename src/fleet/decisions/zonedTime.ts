/** A day and a time of day as a wall clock shows them. Months from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The moment at which clocks of a time zone show this; a time that clocks skip is as long after the gap. */
export function momentOf(wall: WallTime, zone: string | undefined): number {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const first = asUtc - offsetAt(asUtc, zone);
  // the offset is the one of that moment, not of the one that has the same digits in UTC
  return asUtc - offsetAt(first, zone);
}

export function wallTimeAt(moment: number, zone: string | undefined): WallTime {
  const parts = formatOf(zone).formatToParts(moment);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
  };
}

function offsetAt(moment: number, zone: string | undefined): number {
  const { year, month, day, hour, minute } = wallTimeAt(moment, zone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(moment / 60_000) * 60_000;
}

/** A zone that nobody knows is taken for this machine's. */
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
