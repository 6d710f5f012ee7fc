import * as z from 'zod';

/** `statusLine` of the settings: a command whose first line is shown below the input of a terminal session. */
export const statusLineSetting = z.object({ type: z.literal('command'), command: z.string().min(1) });
