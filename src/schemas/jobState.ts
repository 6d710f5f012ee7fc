import * as z from 'zod';

const JOB_STATES = ['working', 'needs_input', 'blocked', 'done', 'failed'] as const;

export type JobStateName = (typeof JOB_STATES)[number];

/** `state.json` of a background job, for the process that started it. */
export const jobState = z.lazy(() =>
  z.looseObject({
    state: z.enum(JOB_STATES),
    /** One line. */
    detail: z.string(),
    sessionId: z.string(),
    cwd: z.string(),
    updatedAt: z.string(),
    decidedBy: z.enum(['rules', 'model', 'fallback', 'session']),
    lastPrompt: z.string().optional(),
  }),
);

export type JobState = z.output<typeof jobState>;

/** A model's answer when the rules do not suffice. */
export const jobJudgement = z.lazy(() => z.looseObject({ state: z.enum(JOB_STATES), detail: z.string().default('') }));
