import * as z from 'zod';
import { jsonValue } from './jsonValue.ts';

/** `statusLine` of the settings: a command whose first line is shown below the input of a terminal session. */
export const statusLineSetting = z.object({ type: z.literal('command'), command: z.string().min(1) });

/** The command of the setting as JSON text; empty without one. */
export const statusLineCommand = (text: string): string =>
  statusLineSetting.safeParse(jsonValue(text)).data?.command ?? '';
