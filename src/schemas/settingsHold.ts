import * as z from 'zod';

/** One hook of ours in a host's settings file. */
const hookEntry = z.object({
  /** In the host's own words. */
  event: z.string(),
  matcher: z.string().exactOptional(),
  command: z.string(),
  /** In seconds, whatever the host counts in. */
  timeout: z.number(),
  /** Shown while it runs. Claude Code also uses it instead of the command in text for the model. */
  statusMessage: z.string().exactOptional(),
});

/** A setting of the host that our hooks need, by the names on the way to it. */
const settingEntry = z.object({ path: z.array(z.string()), value: z.json() });

/** A part of a file that is not JSON, or a whole file of ours. */
const textEntry = z.object({ key: z.string(), text: z.string() });

const settingsEntry = z.union([hookEntry, settingEntry, textEntry]);

/** The owner of our entries in a settings file: an `init` until it is removed, a launch while its process runs. */
const settingsHolder = z.object({
  id: z.string(),
  kind: z.enum(['init', 'launch']),
  /** Which part of the file an `init` owns, where several share one file. */
  part: z.string().optional(),
  pid: z.int(),
  /** As the kernel counts it; absent where the system does not provide it. */
  pidStartedAt: z.string().optional(),
  host: z.string(),
  since: z.number(),
  entries: z.array(settingsEntry),
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
export type SettingEntry = Readonly<z.output<typeof settingEntry>>;
export type TextEntry = Readonly<z.output<typeof textEntry>>;
export type SettingsEntry = HookEntry | SettingEntry | TextEntry;
export type SettingsHolder = z.output<typeof settingsHolder>;
export type SettingsHoldRecord = z.output<typeof settingsHold>;
