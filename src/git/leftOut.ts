/** Something that a snapshot does not have, and why: a sentence for whoever trusts it to be complete. */
export interface LeftOut {
  /** For people; a name with odd bytes is quoted as git does. */
  readonly path: string;
  readonly reason: string;
  /** A pipe, a socket or a device: nothing is lost with it. */
  readonly isEmpty?: boolean;
}

export const describeLeftOut = ({ path, reason }: LeftOut): string => `left out ${path}: ${reason}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `2.1 GB`, by thousands as disks are sold and tools print. */
export function readableSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 && unit > 0 ? Number(value.toFixed(1)) : Math.round(value)} ${UNITS[unit]}`;
}
