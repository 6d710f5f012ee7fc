import * as z from 'zod';

/** The value of `--agents`: subagents by name. A field that Stopgate would not honor is refused. */
export const flagAgents = z.record(
  z.string().min(1),
  z.strictObject({
    description: z.string(),
    prompt: z.string(),
    tools: z.array(z.string()).optional(),
    disallowedTools: z.array(z.string()).optional(),
    model: z.string().optional(),
    maxTurns: z.int().min(1).optional(),
  }),
);
