import * as z from 'zod';

/** Work that may follow a turn, or run beside it. */
export const TASK_KINDS = [
  'prompt_suggestion',
  'memory_extraction',
  'auto_dream',
  'job_classification',
  'side_question',
] as const;

export type TaskKind = (typeof TASK_KINDS)[number];

/** One line of `background.jsonl`: what a task did, or why it did not run. Every decision has one. */
export const backgroundRun = z.lazy(() =>
  z.looseObject({
    /** ISO 8601, when it was decided or started. */
    at: z.string(),
    task: z.enum(TASK_KINDS),
    project: z.string(),
    session: z.string(),
    outcome: z.enum(['ran', 'skipped', 'failed', 'cancelled', 'superseded']),
    /** For people: what it did, or why not. */
    reason: z.string(),
    durationMs: z.number(),
    requests: z.number(),
    /** Read, written and cached. */
    tokens: z.number(),
    /** Null when a request had no known price. */
    costUsd: z.number().nullable(),
  }),
);

export type BackgroundRun = z.output<typeof backgroundRun>;
