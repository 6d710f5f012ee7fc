import * as z from 'zod';
import { failureSetRecord } from './baseline.ts';

const text = z.string().nullable().catch(null);
const count = z.number().min(0).catch(0);

/** A failure from before the session. */
const sessionBaseline = z.object({
  /** ISO 8601. */
  at: z.string(),
  failures: failureSetRecord,
});

/** What the checks gate knows about a session's earlier stops; a damaged or missing field has its value at a session's start. */
export const sessionRecord = z.object({
  /** The digest of the files when the session began; null when not known. */
  baseline: text,
  /** The digest at the last blocked stop. */
  blockedAt: text,
  /** A digest of what failed at the last blocked stop. */
  failedAt: text,
  /** Stops in a row, after the first, that found no progress. */
  unchanged: count,
  /** In the whole session. */
  blocks: count,
  /** Blocked stops since the last one that was not. */
  attempts: count,
  /** HEAD when the session began; null when not known. */
  startCommit: text,
  /** It continues another session (`/clear`, a fork), whose tool calls are not in its transcript. */
  continues: z.boolean().catch(false),
  /** By the names of failing checks: hashes of the lines that the agent was sent, so that none is sent twice. */
  sent: z.record(z.string(), z.array(z.string()).readonly()).readonly().catch({}),
  /** What failed when the session began, by the identity of the check: see `baseline.ts`. */
  began: z.record(z.string(), sessionBaseline.readonly()).readonly().catch({}),
});

export type SessionChecks = Readonly<z.output<typeof sessionRecord>>;
export type SessionBaseline = Readonly<z.output<typeof sessionBaseline>>;
