import { randomUUID } from 'node:crypto';

/** Where ids come from; injected so that a test can name them. */
export interface Ids {
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => randomUUID() };
