import * as z from 'zod';

/** Fields of a team task without a column in the store; they are in the last line of the task's text. */
export const teamTaskNotes = z.object({ activeForm: z.string().optional(), owner: z.string().optional() });

export type TeamTaskNotes = z.output<typeof teamTaskNotes>;
