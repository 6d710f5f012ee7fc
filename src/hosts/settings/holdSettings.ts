import type { SettingsHolder } from '../../schemas/settingsHold.ts';
import { wallNow } from '../../system/clock.ts';
import type { WiredFile } from '../host.ts';
import { type ChangedHolders, changeHolders } from './changeHolders.ts';
import { digestOf } from './fileState.ts';
import { newHolder, stillHolds } from './holders.ts';
import type { HoldingWorld } from './holdingEffects.ts';
import type { RefusedSettings } from './locateSettings.ts';

/*
 * Every command that needs entries of ours in a settings file holds it: `init` permanently, a launch while it runs. The first
 * holder records the file's bytes, each one adds its entries, and the last one to release restores the bytes.
 */

/** An `init` replaces an earlier one of the same part. */
export interface HoldWish extends WiredFile {
  readonly kind: SettingsHolder['kind'];
  readonly dryRun?: boolean;
}

export interface SettingsChange extends Pick<ChangedHolders, 'file' | 'before' | 'after' | 'notes'> {
  readonly changed: boolean;
}

export interface SettingsHold extends SettingsChange {
  readonly type: 'held';
  readonly id: string;
  release(): Promise<ReleaseOutcome>;
}

export interface ReleasedSettings extends SettingsChange {
  readonly type: 'released';
  /** They still hold the file and keep their entries. */
  readonly holders: readonly SettingsHolder[];
  /** Recorded holders whose process is gone. */
  readonly gone: readonly SettingsHolder[];
  /** True when the original bytes are restored; otherwise the file was edited and only our entries were removed. */
  readonly exact: boolean;
}

export type ReleaseOutcome = ReleasedSettings | RefusedSettings;

/** Puts the entries into the settings file until they are released. Never leaves a half-written file. */
export async function holdSettings(wish: HoldWish, world: HoldingWorld): Promise<SettingsHold | RefusedSettings> {
  const { file, format, within, kind, part, entries, dryRun = false } = wish;
  const joining = newHolder({ id: world.ids.uuid(), kind, part, entries: [...entries], since: wallNow(world.clock) });
  // a second `init` replaces the first
  const stays = (holder: SettingsHolder) => stillHolds(holder) && !(kind === 'init' && isInitOf(holder, part));
  const changed = await changeHolders({ file, format, within, stays, joining, sweeps: kind === 'init', dryRun }, world);
  if (changed.type === 'refused') return changed;
  const release = () => releaseSettings({ file: changed.file, format }, joining.id, world);
  return { type: 'held', id: joining.id, release, ...changeOf(changed) };
}

/** Releases one hold, and those whose process is gone. */
async function releaseSettings(
  held: Pick<HoldWish, 'file' | 'format'>,
  id: string,
  world: HoldingWorld,
): Promise<ReleaseOutcome> {
  const stays = (holder: SettingsHolder) => holder.id !== id && stillHolds(holder);
  return released(await changeHolders({ ...held, stays, sweeps: false }, world));
}

const isInitOf = (holder: SettingsHolder, part: string | undefined) => holder.kind === 'init' && holder.part === part;

export interface RemovalOfHolds extends Pick<HoldWish, 'file' | 'format' | 'within' | 'part' | 'dryRun'> {
  /** Also removes the entries of running launches. */
  readonly force?: boolean;
}

/** Removes all our entries from a settings file; running launches keep theirs. */
export async function removeSettings(wish: RemovalOfHolds, world: HoldingWorld): Promise<ReleaseOutcome> {
  const { file, format, within, part, force = false, dryRun = false } = wish;
  const stays = (holder: SettingsHolder) =>
    holder.kind === 'launch' ? !force && stillHolds(holder) : !isInitOf(holder, part);
  return released(await changeHolders({ file, format, within, stays, sweeps: true, dryRun }, world));
}

function released(changed: ChangedHolders | RefusedSettings): ReleaseOutcome {
  if (changed.type === 'refused') return changed;
  const { holders, recorded, exact } = changed;
  const gone = recorded.filter((one) => !stillHolds(one));
  return { type: 'released', holders, gone, exact, ...changeOf(changed) };
}

function changeOf({ file, before, after, notes }: ChangedHolders): SettingsChange {
  return { file, before, after, changed: digestOf(before) !== digestOf(after), notes };
}
