import { z } from 'zod';

const text = z.string().catch('');

/** The input of a StopFailure hook, as `stop-failure.sh` or our own agent saves it. */
export const savedFailure = z.object({ error: z.string(), error_details: text, last_assistant_message: text });
