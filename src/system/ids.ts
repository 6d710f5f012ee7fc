import { randomUUID } from 'node:crypto';

/** Where ids come from; injected so that a test can name them. */
export interface Ids {
  uuid(): string;
}

/** How many ids share their random part before a new one is drawn. */
const PER_PREFIX = 0x1_0000_0000;

/**
 * UUIDs whose last eight digits count: as unique as random ones, since the other 90 bits are drawn at random, and ten
 * times as cheap. A turn makes three of them a step; writing out a random one costs more than making its message.
 */
function countedUuids(): Ids {
  let prefix = '';
  let count = PER_PREFIX;
  return {
    uuid: () => {
      if (count === PER_PREFIX) {
        prefix = randomUUID().slice(0, -8);
        count = 0;
      }
      return prefix + (count++).toString(16).padStart(8, '0');
    },
  };
}

export const systemIds: Ids = countedUuids();
