/** Injected, so that a test can choose the ids. */
export interface Ids {
  uuid(): string;
}

/** `yxxx-xxxx`, where the first two bits are the variant of a UUID. */
function randomNode(): string {
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16);
  return `${variant}${digits(3)}-${digits(4)}`;
}

function digits(count: number): string {
  return hex(Math.floor(Math.random() * 16 ** count), count);
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}

/** Random except for the version. */
const prefix = `${digits(8)}-${digits(4)}-4${digits(3)}-${randomNode()}`;
let made = 0;

/**
 * UUIDs whose last eight digits are a counter. They must be unique, not secret: 90 random bits distinguish processes.
 * These cost a tenth of random ones, and Node's crypto module (4 MB) need not be loaded.
 */
export const systemIds: Ids = { uuid: () => prefix + hex(made++, 8) };

/**
 * A short id that is unique in a process and nearly unique elsewhere: the random start of a UUID, which all ids of a
 * process share, and the end, which is a counter.
 */
export function shortId(ids: Ids): string {
  const uuid = ids.uuid();
  return `${uuid.slice(0, 8)}${uuid.slice(-6)}`;
}

/**
 * UUIDs of version 7, which sort by creation time: an index over random ones would change another page at every claim.
 * 42 random bits distinguish processes of the same millisecond; the last eight digits are a counter. Never cut off the end
 * of one, because they start alike.
 */
export function timedUuids(now: () => number = Date.now): Ids {
  const random = `7${digits(3)}-${randomNode()}`;
  let count = 0;
  return {
    uuid: () => {
      const time = hex(now(), 12);
      count = (count + 1) % 2 ** 32;
      return `${time.slice(0, 8)}-${time.slice(8)}-${random}${hex(count, 8)}`;
    },
  };
}

/** Identifies an attempt, and makes a repeated claim request the same claim. */
export const newClaimKey: () => string = timedUuids().uuid;
