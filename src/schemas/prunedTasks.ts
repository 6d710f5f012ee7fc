import * as z from 'zod';

/** Tasks that a store has removed, or is about to, and what their attempts may have left on this machine. */
export const prunedTasks = z.object({
  location: z.string(),
  tasks: z.array(
    z.object({
      id: z.string(),
      epoch: z.int().min(0),
      left: z.array(
        z.object({
          epoch: z.int().min(0),
          branch: z.string().optional(),
          worktree: z.string().optional(),
          wipRef: z.string().optional(),
        }),
      ),
    }),
  ),
});
