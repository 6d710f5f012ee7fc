import path from 'node:path';
import type { HookEntry, SettingEntry, SettingsEntry, TextEntry } from '../../schemas/settingsHold.ts';

export interface BrokenSettings {
  readonly type: 'broken';
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type SettingsEdit = { readonly type: 'edited'; readonly text: string } | BrokenSettings;

export type OwnedKeys = { readonly type: 'found'; readonly keys: readonly string[] } | BrokenSettings;

export interface RemovalWish {
  /** The file before our change: its containers stay, even if they are empty now. */
  readonly original?: string | undefined;
  /** Entries of ours that stay. */
  readonly keeps?: ((key: string) => boolean) | undefined;
  /** What we added, by our records: settings have no mark. */
  readonly recorded?: readonly SettingsEntry[] | undefined;
}

/** How entries of ours stand in one kind of file. Every edit leaves all other bytes as they are. */
export interface SettingsFormat {
  /** An existing entry of ours stays in its place, with the new content; the others are appended. */
  add(text: string, entries: readonly SettingsEntry[]): SettingsEdit;
  remove(text: string, wish?: RemovalWish): SettingsEdit;
  /** The keys of our entries in the file. */
  owned(text: string, recorded?: readonly SettingsEntry[]): OwnedKeys;
  /** The text of a file that is empty but for us; such a file is deleted, if we created it. */
  isEmpty(text: string): boolean;
}

export const isHook = (entry: SettingsEntry): entry is HookEntry => 'command' in entry;
export const isSetting = (entry: SettingsEntry): entry is SettingEntry => 'path' in entry;
export const isText = (entry: SettingsEntry): entry is TextEntry => 'text' in entry;

/** Identifies an entry in its file, whatever its path. */
export function keyOfEntry(entry: SettingsEntry): string {
  if (isHook(entry)) return hookKey(entry.event, entry.command);
  return isSetting(entry) ? `setting ${entry.path.join('.')}` : entry.key;
}

/**
 * Stays the same when the checkout moves or is called another way: the event with the hook's name or, for a script, the
 * file's.
 */
export function hookKey(event: string, command: string): string {
  const named = / (hook [\w-]+)[^"]* # stopgate\s*$/.exec(command)?.[1];
  const first = /"((?:[^"\\]|\\.)*)"/.exec(command)?.[1];
  return `${event} ${named ?? path.posix.basename(first ?? command)}`;
}
