import path from 'node:path';
import type { SettingsHolder, SettingsHoldRecord } from '../../../schemas/settingsHold.ts';
import { digestOf, type FileState } from './fileState.ts';
import { diskEffects, type HoldingEffects, type HoldingWorld } from './holdingEffects.ts';
import { originalRecord, originalState, type ReadRecord, readRecord, recordFile } from './holdRecord.ts';
import { type LocatedSettings, locateSettings, type RefusedSettings, refused } from './locateSettings.ts';
import { planSettings, type SettingsPlan } from './planSettings.ts';
import { withSettingsLock } from './settingsLock.ts';

export interface HolderChange {
  /** As a person would write it; links are followed. */
  readonly file: string;
  /** The project that a link may not leave. */
  readonly within?: string | undefined;
  /** Which of those who held it still do. */
  readonly stays: (holder: SettingsHolder) => boolean;
  readonly joining?: SettingsHolder;
  readonly sweeps: boolean;
  /** Only looks; not even a lock is taken. */
  readonly dryRun?: boolean;
}

export interface ChangedHolders {
  readonly type: 'changed';
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly recorded: readonly SettingsHolder[];
  readonly holders: readonly SettingsHolder[];
  readonly madeFolder: string | undefined;
  readonly hadRecord: boolean;
  readonly exact: boolean;
  /** Sentences for the person who called. */
  readonly notes: readonly string[];
}

type Planned = Extract<SettingsPlan, { type: 'planned' }>;

/** Changes who holds a settings file, and the file with it; all or nothing, one process at a time. */
export async function changeHolders(
  change: HolderChange,
  world: HoldingWorld,
): Promise<ChangedHolders | RefusedSettings> {
  const found = await locateSettings(change.file, change.within);
  if (found.type === 'refused') return found;
  const at = recordFile(world.stopgateHome, found.file);
  if (change.dryRun) return changeUnderLock(change, at, world);
  return withSettingsLock({ lock: `${at}.lock`, file: found.file, world }, () => changeUnderLock(change, at, world));
}

async function changeUnderLock(change: HolderChange, at: string, world: HoldingWorld) {
  // read again: what another process did while we waited counts
  const found = await locateSettings(change.file, change.within);
  if (found.type === 'refused') return found;
  const read = await readRecord(at);
  const record = read.type === 'record' ? read.record : undefined;
  const plan = planSettings({
    current: found.state,
    before: record && { original: originalState(record), states: record.states },
    staying: record?.holders.filter(change.stays) ?? [],
    joining: change.joining,
    sweeps: change.sweeps,
  });
  if (plan.type === 'broken') {
    return refused(
      `${found.file}:${plan.line}:${plan.column}`,
      `cannot be edited: ${plan.message}`,
      'fix it and run this again',
    );
  }
  const made = record?.madeFolder ?? (found.folderIsThere ? undefined : path.dirname(found.file));
  const changed = describe(found, plan, { made, recorded: record?.holders ?? [], read, at });
  if (change.dryRun) return changed;
  try {
    await apply(plan, changed, at, world.effects ?? diskEffects);
  } catch (error) {
    // the record holds what was under way, so the next process finishes it
    return refused(found.file, `cannot be written (${(error as Error).message})`, 'fix that and run this again');
  }
  return changed;
}

interface Described {
  readonly made: string | undefined;
  readonly recorded: readonly SettingsHolder[];
  readonly read: ReadRecord;
  readonly at: string;
}

function describe(found: LocatedSettings, plan: Planned, { made, recorded, read, at }: Described): ChangedHolders {
  const lost = `What was recorded about ${found.file} in ${at} cannot be read; entries are told by their mark instead.`;
  return {
    type: 'changed',
    file: found.file,
    before: found.state,
    after: plan.next,
    recorded,
    holders: plan.holders,
    madeFolder: made,
    hadRecord: read.type !== 'none',
    exact: plan.exact,
    notes: read.type === 'unreadable' ? [...found.notes, lost] : found.notes,
  };
}

/**
 * The record goes first and knows the file's content both before and after the write: wherever a kill falls, the
 * next process finds one of the two and the way back from it.
 */
async function apply(plan: Planned, changed: ChangedHolders, at: string, effects: HoldingEffects): Promise<void> {
  const { file, before, after, holders, madeFolder } = changed;
  if (holders.length === 0 && !changed.hadRecord && digestOf(before) === digestOf(after)) return;
  await effects.writeRecord(at, recordOf(plan, changed));
  if (changed.hadRecord) await effects.clearBeside(file);
  if (after.type === 'bytes') {
    if (madeFolder) await effects.makeFolder(madeFolder);
    if (digestOf(before) !== digestOf(after)) await effects.writeSettings(file, after.bytes);
  } else {
    if (before.type === 'bytes') await effects.removeSettings(file);
    if (madeFolder) await effects.removeFolder(madeFolder);
  }
  if (holders.length === 0) await effects.removeRecord(at);
}

function recordOf(
  { original }: Planned,
  { file, before, after, holders, madeFolder }: ChangedHolders,
): SettingsHoldRecord {
  return {
    file,
    original: originalRecord(original),
    states: [...new Set([digestOf(before), digestOf(after)])],
    ...(madeFolder === undefined ? {} : { madeFolder }),
    holders: [...holders],
  };
}
