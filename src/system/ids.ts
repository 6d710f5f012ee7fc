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
      return prefix + (count++).toString(16).padStart(8, '0');
    },
  };
}

/** `xxxxxxxx-xxxx-4xxx-yxxx-xxxx`, of which all but the version is chance. */
function randomPrefix(): string {
  const digits = (count: number) =>
    Math.floor(Math.random() * 16 ** count)
      .toString(16)
      .padStart(count, '0');
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16);
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${variant}${digits(3)}-${digits(4)}`;
}

export const systemIds: Ids = countedUuids();
