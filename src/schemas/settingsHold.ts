import * as z from 'zod';
import { HOOK_EVENTS } from './hookEventNames.ts';

/** One hook of ours in the settings file: a group with one command. */
const hookEntry = z.object({
  event: z.enum(HOOK_EVENTS),
  matcher: z.string().exactOptional(),
  command: z.string(),
  /** In seconds. */
  timeout: z.number(),
  /** Shown while it runs. Claude Code also uses it instead of the command in text for the model. */
  statusMessage: z.string().exactOptional(),
});

/** The owner of our entries in a settings file: an `init` until it is removed, a launch while its process runs. */
const settingsHolder = z.object({
  id: z.string(),
  kind: z.enum(['init', 'launch']),
  pid: z.int(),
  /** As the kernel counts it; absent where the system does not provide it. */
  pidStartedAt: z.string().optional(),
  host: z.string(),
  since: z.number(),
  entries: z.array(hookEntry),
});

/** A record outside the repository about a settings file that we changed. */
export const settingsHold = z.object({
  /** Without symbolic links. */
  file: z.string(),
  /** The content to restore when the last holder is gone. */
  original: z.discriminatedUnion('type', [
    z.object({ type: z.literal('absent') }),
    z.object({ type: z.literal('bytes'), base64: z.base64() }),
  ]),
  /** Digests of the file before and after our last write. Any other content means that the file was edited. */
  states: z.array(z.string()),
  /** The folder that we created for the file. */
  madeFolder: z.string().optional(),
  holders: z.array(settingsHolder),
});

export type HookEntry = Readonly<z.output<typeof hookEntry>>;
export type SettingsHolder = z.output<typeof settingsHolder>;
export type SettingsHoldRecord = z.output<typeof settingsHold>;
