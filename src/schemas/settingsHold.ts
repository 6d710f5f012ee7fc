import * as z from 'zod';
import { HOOK_EVENTS } from './hookEventNames.ts';

const heldEntry = z.object({
  event: z.enum(HOOK_EVENTS),
  matcher: z.string().optional(),
  command: z.string(),
  timeout: z.number(),
  statusMessage: z.string().optional(),
});

/** Who wants entries of ours in a settings file: an `init` until it is taken back, a launch while its process runs. */
const settingsHolder = z.object({
  id: z.string(),
  kind: z.enum(['init', 'launch']),
  pid: z.int(),
  /** As the kernel counts it; absent where it cannot be told. */
  pidStartedAt: z.string().optional(),
  host: z.string(),
  since: z.number(),
  entries: z.array(heldEntry),
});

/** What is kept outside the repository about one settings file that we wrote to. */
export const settingsHold = z.object({
  /** Without symbolic links. */
  file: z.string(),
  /** What the file goes back to when nobody holds it any more. */
  original: z.discriminatedUnion('type', [
    z.object({ type: z.literal('absent') }),
    z.object({ type: z.literal('bytes'), base64: z.base64() }),
  ]),
  /** Digests of what the file held before and after our last write. With any other content somebody edited it. */
  states: z.array(z.string()),
  /** The folder that we made for the file. */
  madeFolder: z.string().optional(),
  holders: z.array(settingsHolder),
});

export type SettingsHolder = z.output<typeof settingsHolder>;
export type SettingsHoldRecord = z.output<typeof settingsHold>;
