import * as z from 'zod';

/** One task of a team's list, as its file has it. */
export const taskFile = z.object({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  activeForm: z.string().optional(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  owner: z.string().optional(),
  blockedBy: z.array(z.string()).default([]),
  blocks: z.array(z.string()).default([]),
});

/** What the last line of a team task's text keeps of it. */
export const teamTaskNotes = z.object({ activeForm: z.string().optional(), owner: z.string().optional() });

export type TeamTaskNotes = z.output<typeof teamTaskNotes>;
