import * as z from 'zod';
import { failureSetRecord } from './baseline.ts';

const text = z.string().nullable().catch(null);
const count = z.number().min(0).catch(0);

/** What the checks gate remembers of a session; a damaged or missing field has its value at a session's start. */
export const sessionRecord = z.object({
  baseline: text,
  blockedAt: text,
  failedAt: text,
  unchanged: count,
  blocks: count,
  attempts: count,
  startCommit: text,
  continues: z.boolean().catch(false),
  sent: z.record(z.string(), z.array(z.string())).catch({}),
  began: z.record(z.string(), z.object({ at: z.string(), failures: failureSetRecord })).catch({}),
});
