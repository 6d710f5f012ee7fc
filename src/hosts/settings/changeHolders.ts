import path from 'node:path';
import type { SettingsHolder } from '../../schemas/settingsHold.ts';
import { takeLock } from '../../system/pidLock.ts';
import type { WiredFile } from '../host.ts';
import { digestOf, type FileState } from './fileState.ts';
import { diskEffects, type HoldingEffects, type HoldingWorld } from './holdingEffects.ts';
import { originalRecord, originalState, readRecord, recordFile } from './holdRecord.ts';
import { locateSettings, type RefusedSettings, refused } from './locateSettings.ts';
import { planSettings, type SettingsPlan } from './planSettings.ts';

export interface HolderChange extends Pick<WiredFile, 'file' | 'format' | 'within'> {
  /** Which of the recorded holders stay. */
  readonly stays: (holder: SettingsHolder) => boolean;
  readonly joining?: SettingsHolder;
  readonly sweeps: boolean;
  /** Changes nothing, and takes no lock. */
  readonly dryRun?: boolean;
}

export interface ChangedHolders {
  readonly type: 'changed';
  /** The real path. */
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly recorded: readonly SettingsHolder[];
  readonly holders: readonly SettingsHolder[];
  readonly madeFolder: string | undefined;
  readonly hadRecord: boolean;
  readonly exact: boolean;
  /** For the person who ran the command. */
  readonly notes: readonly string[];
}

type Planned = Extract<SettingsPlan, { type: 'planned' }>;

/** Changes the holders of a settings file, and the file with them; atomically, one process at a time. */
export async function changeHolders(
  change: HolderChange,
  world: HoldingWorld,
): Promise<ChangedHolders | RefusedSettings> {
  const found = await locateSettings(change.file, change.within);
  if (found.type === 'refused') return found;
  const at = recordFile(world.stopgateHome, found.file);
  if (change.dryRun) return changeUnderLock(change, at, world);
  return withLock(`${at}.lock`, { file: found.file, world }, () => changeUnderLock(change, at, world));
}

/** A change takes milliseconds; after this time the holder hangs. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 15;

/** Runs while no other process changes the same settings file. */
async function withLock<T>(
  lock: string,
  { file, world: { clock, ids } }: { readonly file: string; readonly world: HoldingWorld },
  run: () => Promise<T>,
): Promise<T | RefusedSettings> {
  const giveUpAt = clock.now() + PATIENCE_MS;
  for (;;) {
    const attempt = await takeLock({ file: lock, clock, ids }).catch((error: Error) => error);
    if (attempt instanceof Error) {
      const why = `cannot be changed: its lock cannot be written (${attempt.message})`;
      return refused(file, why, 'fix that and run this again');
    }
    if (attempt.type === 'held') {
      try {
        return await run();
      } finally {
        await attempt.lock.release();
      }
    }
    if (clock.now() >= giveUpAt) {
      const why = `is being changed by another Stopgate (process ${attempt.by?.pid ?? 'unknown'})`;
      return refused(file, why, 'wait for it and run this again');
    }
    await clock.sleep(RETRY_MS);
  }
}

async function changeUnderLock(change: HolderChange, at: string, world: HoldingWorld) {
  // another process may have changed it while we waited for the lock
  const found = await locateSettings(change.file, change.within);
  if (found.type === 'refused') return found;
  const read = await readRecord(at);
  const record = read.type === 'record' ? read.record : undefined;
  const plan = planSettings({
    format: change.format,
    current: found.state,
    before: record && {
      original: originalState(record),
      states: record.states,
      entries: record.holders.flatMap(({ entries }) => entries),
    },
    staying: record?.holders.filter(change.stays) ?? [],
    joining: change.joining,
    sweeps: change.sweeps,
  });
  if (plan.type === 'broken') {
    const place = `${found.file}:${plan.line}:${plan.column}`;
    return refused(place, `cannot be edited: ${plan.message}`, 'fix it and run this again');
  }
  const made = record?.madeFolder ?? found.newFolder;
  const lost = `The record of ${found.file} in ${at} cannot be read; entries are recognized by their mark instead.`;
  const changed: ChangedHolders = {
    type: 'changed',
    file: found.file,
    before: found.state,
    after: plan.next,
    recorded: record?.holders ?? [],
    holders: plan.holders,
    madeFolder: made,
    hadRecord: read.type !== 'none',
    exact: plan.exact,
    notes: read.type === 'unreadable' ? [...found.notes, lost] : found.notes,
  };
  if (change.dryRun) return changed;
  try {
    await apply(plan, changed, at, world.effects ?? diskEffects);
  } catch (error) {
    // the record contains the planned change, so the next process finishes it
    return refused(found.file, `cannot be written (${(error as Error).message})`, 'fix that and run this again');
  }
  return changed;
}

/**
 * Writes the record first, with the file's content before and after the change: if this process is killed, the next one finds one
 * of the two and can undo it.
 */
async function apply(plan: Planned, changed: ChangedHolders, at: string, effects: HoldingEffects): Promise<void> {
  const { file, before, after, holders, madeFolder } = changed;
  if (holders.length === 0 && !changed.hadRecord && digestOf(before) === digestOf(after)) return;
  await effects.writeRecord(at, {
    file,
    original: originalRecord(plan.original),
    states: [...new Set([digestOf(before), digestOf(after)])],
    ...(madeFolder === undefined ? {} : { madeFolder }),
    holders: [...holders],
  });
  if (changed.hadRecord) await effects.clearBeside(file);
  if (after.type === 'bytes') {
    if (madeFolder) await effects.makeFolder(path.dirname(file));
    if (digestOf(before) !== digestOf(after)) await effects.writeSettings(file, after.bytes);
  } else {
    if (before.type === 'bytes') await effects.removeSettings(file);
    for (const folder of madeFolder ? foldersUpTo(madeFolder, file) : []) await effects.removeFolder(folder);
  }
  if (holders.length === 0) await effects.removeRecord(at);
}

/** From the file's own folder outwards. */
function foldersUpTo(outermost: string, file: string): readonly string[] {
  const folder = path.dirname(file);
  return folder === outermost || !folder.startsWith(`${outermost}${path.sep}`)
    ? [outermost]
    : [folder, ...foldersUpTo(outermost, folder)];
}
