import { LONGEST_REPLY, LONGEST_REQUEST } from './frames.ts';

/** Waits for a change; not an operation of the store. */
export const CHANGED = 'changed';

/** What one client may cost the server. Beyond that the server hangs up, and the client uses the file. */
export interface BrokerLimits {
  readonly connections: number;
  /** From the connection until the first line. */
  readonly helloMs: number;
  /** From the first byte of a line until its end. */
  readonly lineMs: number;
  readonly longestRequest: number;
  readonly longestReply: number;
  /** Queued requests, in number and in characters; beyond that the server stops reading until some are served. */
  readonly waitingRequests: number;
  readonly waitingLength: number;
  /** Waits for a change that are open together. */
  readonly openWaits: number;
  /** Answers that it has not read, in bytes. */
  readonly unreadBytes: number;
}

export const BROKER_LIMITS: BrokerLimits = {
  connections: 512,
  helloMs: 5_000,
  lineMs: 30_000,
  longestRequest: LONGEST_REQUEST,
  longestReply: LONGEST_REPLY,
  waitingRequests: 256,
  waitingLength: LONGEST_REQUEST,
  openWaits: 1_024,
  unreadBytes: 2 * LONGEST_REPLY,
};
