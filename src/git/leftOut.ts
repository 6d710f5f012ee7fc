/** Something that a snapshot does not include, and why. */
export interface LeftOut {
  /** From `shownPath`. */
  readonly path: string;
  readonly reason: string;
  /** A pipe, a socket or a device: nothing is lost with it. */
  readonly isEmpty?: boolean;
}

export const describeLeftOut = ({ path, reason }: LeftOut): string => `left out ${path}: ${reason}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Such as `2.1 GB`; decimal units. */
export function readableSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 && unit > 0 ? Number(value.toFixed(1)) : Math.round(value)} ${UNITS[unit]}`;
}
