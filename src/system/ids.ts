/** Where ids come from; injected so that a test can name them. */
export interface Ids {
  uuid(): string;
}

/** How many ids share their random part before a new one is drawn. */
const PER_PREFIX = 0x1_0000_0000;

/**
 * UUIDs whose last eight digits count. They must be unique, not secret: 90 bits drawn at random keep processes apart, and
 * a turn that makes three ids a step pays a tenth of what random ones cost. Node's crypto module, 4 MB of it, is not
 * loaded for them.
 */
function countedUuids(): Ids {
  let prefix = '';
  let count = PER_PREFIX;
  return {
    uuid: () => {
      if (count === PER_PREFIX) {
        prefix = randomPrefix();
        count = 0;
      }
      return prefix + hex(count++, 8);
    },
  };
}

/** `xxxxxxxx-xxxx-4xxx-yxxx-xxxx`, of which all but the version is chance. */
function randomPrefix(): string {
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${randomNode()}`;
}

/** `yxxx-xxxx`, where the first two bits are the kind of a UUID. */
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

export const systemIds: Ids = countedUuids();

/**
 * A short id that is unique in a process and all but unique elsewhere: the random beginning of a UUID and the end that
 * counts. The beginning alone is the same for every id of a process.
 */
export function shortId(ids: Ids): string {
  const uuid = ids.uuid();
  return `${uuid.slice(0, 8)}${uuid.slice(-6)}`;
}

/**
 * UUIDs of version 7, which sort by when they were made: for what a store keeps many of. An index over random ones changes
 * another page of itself at every claim, and splits it now and then. What tells processes of the same millisecond apart is 42
 * bits drawn at random; the last eight digits count. They begin alike, so never shorten one from its end.
 */
export function timedUuids(now: () => number = Date.now): Ids {
  const random = `7${digits(3)}-${randomNode()}`;
  let count = 0;
  return {
    uuid: () => {
      const time = hex(now(), 12);
      count = (count + 1) % PER_PREFIX;
      return `${time.slice(0, 8)}-${time.slice(8)}-${random}${hex(count, 8)}`;
    },
  };
}

/** Names attempts, and makes a claim that is asked for twice one claim. */
export const newClaimKey: () => string = timedUuids().uuid;
