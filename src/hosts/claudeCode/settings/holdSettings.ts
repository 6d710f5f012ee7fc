import type { SettingsHolder } from '../../../schemas/settingsHold.ts';
import { wallNow } from '../../../system/clock.ts';
import type { HookEntry } from '../entries.ts';
import { type ChangedHolders, changeHolders } from './changeHolders.ts';
import { digestOf, type FileState } from './fileState.ts';
import { newHolder, stillHolds } from './holders.ts';
import type { HoldingWorld } from './holdingEffects.ts';
import type { RefusedSettings } from './locateSettings.ts';

/*
 * A settings file is held by every command that needs entries of ours in it: `init` permanently, a launch while it runs. The
 * first holder keeps the file's bytes in a record; each one adds what it needs; the last one to release restores the bytes.
 */

export interface HoldWish {
  readonly file: string;
  /** The project that the file must be in, links followed; anywhere by default. */
  readonly within?: string | undefined;
  readonly kind: SettingsHolder['kind'];
  readonly entries: readonly HookEntry[];
  readonly dryRun?: boolean;
}

/** What happened to the file. */
export interface SettingsChange {
  /** The file itself, without symbolic links. */
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly changed: boolean;
  /** Sentences for the person who called. */
  readonly notes: readonly string[];
}

export interface SettingsHold extends SettingsChange {
  readonly type: 'held';
  readonly id: string;
  release(): Promise<ReleaseOutcome>;
}

export interface ReleasedSettings extends SettingsChange {
  readonly type: 'released';
  /** Those who still hold the file, and so keep their entries in it. */
  readonly holders: readonly SettingsHolder[];
  /** Those that the record still named although their process is gone. */
  readonly mended: readonly SettingsHolder[];
  /** True when the bytes are those from before us; otherwise the file was edited and only our entries were removed. */
  readonly exact: boolean;
}

export type ReleaseOutcome = ReleasedSettings | RefusedSettings;

/** Puts the entries into the settings file until they are released. Never leaves the file half written. */
export async function holdSettings(wish: HoldWish, world: HoldingWorld): Promise<SettingsHold | RefusedSettings> {
  const { file, within, kind, entries, dryRun = false } = wish;
  const joining = newHolder({ id: world.ids.uuid(), kind, entries, now: wallNow(world.clock) });
  // a second `init` takes the place of the first
  const stays = (holder: SettingsHolder) => stillHolds(holder) && !(kind === 'init' && holder.kind === 'init');
  const changed = await changeHolders({ file, within, stays, joining, sweeps: kind === 'init', dryRun }, world);
  if (changed.type === 'refused') return changed;
  const release = () => releaseSettings({ file: changed.file, id: joining.id }, world);
  return { type: 'held', id: joining.id, release, ...changeOf(changed) };
}

/** Releases one hold, and those whose process is gone. */
async function releaseSettings(
  { file, id }: { readonly file: string; readonly id: string },
  world: HoldingWorld,
): Promise<ReleaseOutcome> {
  const stays = (holder: SettingsHolder) => holder.id !== id && stillHolds(holder);
  return released(await changeHolders({ file, stays, sweeps: false }, world));
}

export interface RemovalOfHolds {
  readonly file: string;
  readonly within?: string | undefined;
  /** Also takes out what launches that still run put there. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** Removes all our entries from a settings file, by whatever command they were added; running launches keep theirs. */
export async function removeSettings(wish: RemovalOfHolds, world: HoldingWorld): Promise<ReleaseOutcome> {
  const { file, within, force = false, dryRun = false } = wish;
  const stays = (holder: SettingsHolder) => !force && holder.kind === 'launch' && stillHolds(holder);
  return released(await changeHolders({ file, within, stays, sweeps: true, dryRun }, world));
}

function released(changed: ChangedHolders | RefusedSettings): ReleaseOutcome {
  if (changed.type === 'refused') return changed;
  const { holders, recorded, exact } = changed;
  const mended = recorded.filter((one) => !stillHolds(one));
  return { type: 'released', holders, mended, exact, ...changeOf(changed) };
}

function changeOf({ file, before, after, notes }: ChangedHolders): SettingsChange {
  return { file, before, after, changed: digestOf(before) !== digestOf(after), notes };
}
