import * as z from 'zod';

/** Fields of a team task that the store has no column for; the last line of the task's text holds them. */
export const teamTaskNotes = z.object({ activeForm: z.string().optional(), owner: z.string().optional() });

export type TeamTaskNotes = z.output<typeof teamTaskNotes>;
