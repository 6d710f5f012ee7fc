import type { WiredFile } from './host.ts';
import type { HoldingWorld } from './settings/holdingEffects.ts';
import {
  type HoldWish,
  holdSettings,
  type ReleaseOutcome,
  type RemovalOfHolds,
  removeSettings,
  type SettingsHold,
} from './settings/holdSettings.ts';
import type { RefusedSettings } from './settings/locateSettings.ts';

export interface HeldFiles {
  readonly type: 'held';
  readonly files: readonly SettingsHold[];
  /** Restores the files in reverse order; returns sentences for the report. A second call does nothing. */
  release(): Promise<readonly string[]>;
}

/** Puts our entries into all files of a host, or into none. */
export async function holdFiles(
  files: readonly WiredFile[],
  { kind, dryRun = false }: Pick<HoldWish, 'kind' | 'dryRun'>,
  world: HoldingWorld,
): Promise<HeldFiles | RefusedSettings> {
  const held: SettingsHold[] = [];
  for (const file of files) {
    const hold = await holdSettings({ ...file, kind, dryRun }, world);
    if (hold.type === 'refused') {
      for (const earlier of held.toReversed()) if (!dryRun) await earlier.release();
      return hold;
    }
    held.push(hold);
  }
  let released: Promise<readonly string[]> | undefined;
  return { type: 'held', files: held, release: () => (released ??= releaseAll(held)) };
}

async function releaseAll(held: readonly SettingsHold[]): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const hold of held.toReversed()) {
    const end = await hold.release();
    notes.push(...(end.type === 'refused' ? [end.reason] : end.notes));
  }
  return notes;
}

/** Removes our entries from all files of a host, whatever happens to one of them. */
export async function removeFiles(
  files: readonly WiredFile[],
  wish: Pick<RemovalOfHolds, 'force' | 'dryRun'>,
  world: HoldingWorld,
): Promise<readonly ReleaseOutcome[]> {
  const outcomes = await Array.fromAsync(files.toReversed(), ({ file, within, part, format }) =>
    removeSettings({ file, within, part, format, ...wish }, world),
  );
  return outcomes.toReversed();
}
