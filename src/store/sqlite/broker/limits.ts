import { LONGEST_REPLY, LONGEST_REQUEST } from './frames.ts';

/** Waits for a change; not an operation of the store. */
export const CHANGED = 'changed';

/** What one client may cost the server. Beyond that the server hangs up, and the client uses the file. */
export const BROKER_LIMITS = {
  connections: 512,
  /** From the connection until the first line. */
  helloMs: 5_000,
  /** From the first byte of a line until its end. */
  lineMs: 30_000,
  longestRequest: LONGEST_REQUEST,
  longestReply: LONGEST_REPLY,
  /** Queued requests, in number and in characters; beyond that the server stops reading until some are served. */
  waitingRequests: 256,
  waitingLength: LONGEST_REQUEST,
  /** Waits for a change that are open together. */
  openWaits: 1_024,
  /** Answers that it has not read, in bytes. */
  unreadBytes: 2 * LONGEST_REPLY,
};

export type BrokerLimits = Readonly<typeof BROKER_LIMITS>;
