import type { SettingsEntry, SettingsHolder } from '../../schemas/settingsHold.ts';
import { ABSENT, digestOf, type FileState, stateOfText, textOf } from './fileState.ts';
import { type BrokenSettings, keyOfEntry, type SettingsFormat } from './format.ts';
import { wantedEntries } from './holders.ts';

export interface PlanFacts {
  readonly format: SettingsFormat;
  readonly current: FileState;
  /** Recorded at our last write. */
  readonly before:
    | { readonly original: FileState; readonly states: readonly string[]; readonly entries: readonly SettingsEntry[] }
    | undefined;
  readonly staying: readonly SettingsHolder[];
  readonly joining: SettingsHolder | undefined;
  /** Also removes entries of ours that are in no record: `init` and `remove` do, a launch leaves them to the person. */
  readonly sweeps: boolean;
}

export type SettingsPlan =
  | {
      readonly type: 'planned';
      /** The file when it is not held. */
      readonly original: FileState;
      /** The file now. */
      readonly next: FileState;
      readonly holders: readonly SettingsHolder[];
      /** Whether the original has the recorded bytes; otherwise it is the current file without our entries. */
      readonly exact: boolean;
    }
  | BrokenSettings;

/**
 * The content of a settings file now and afterwards. A file as we wrote it is rebuilt from the recorded original, to restore
 * every byte. An edited one is changed entry by entry: edits stay, and entries that a person removed stay out.
 */
export function planSettings(facts: PlanFacts): SettingsPlan {
  const { current, before, joining } = facts;
  const asWritten = before?.states.includes(digestOf(current)) === true;
  const edited = before !== undefined && !asWritten;
  const staying = edited ? withoutRemoved(facts) : { type: 'holders' as const, holders: facts.staying };
  if (staying.type === 'broken') return staying;
  const holders = [...staying.holders, ...(joining ? [joining] : [])];
  const original = originalOf(facts, asWritten);
  if (original.type === 'broken') return original;
  const entries = wantedEntries(holders);
  if (entries.length === 0)
    return { type: 'planned', original: original.state, next: original.state, holders, exact: asWritten };
  const start = asWritten ? original : swept(current, facts, (key) => isWanted(entries, key));
  if (start.type === 'broken') return start;
  const added = facts.format.add(start.text, entries);
  if (added.type === 'broken') return added;
  return { type: 'planned', original: original.state, next: stateOfText(added.text), holders, exact: asWritten };
}

const isWanted = (entries: readonly SettingsEntry[], key: string) => entries.some((entry) => keyOfEntry(entry) === key);

type Text = { readonly type: 'text'; readonly text: string; readonly state: FileState } | BrokenSettings;

function originalOf(facts: PlanFacts, asWritten: boolean): Text {
  const { current, before } = facts;
  // deleted or not created yet: nothing to restore
  if (current.type === 'absent') return { type: 'text', text: '', state: ABSENT };
  const found = swept(asWritten && before ? before.original : current, facts, () => false);
  if (found.type === 'broken') return found;
  const made = before?.original.type === 'absent' && facts.format.isEmpty(found.text);
  return made ? { type: 'text', text: '', state: ABSENT } : found;
}

/** The state without those of our entries that do not stay; the same object when nothing changes. */
function swept(state: FileState, { format, before, sweeps }: PlanFacts, keeps: (key: string) => boolean): Text {
  const text = textOf(state);
  if (text === undefined) return NOT_TEXT;
  const isOriginal = before !== undefined && digestOf(before.original) === digestOf(state);
  if (state.type === 'absent' || (!sweeps && (before === undefined || isOriginal)))
    return { type: 'text', text, state };
  const original = before && !isOriginal ? textOf(before.original) : undefined;
  // what the original already had is not ours
  const recorded = isOriginal ? [] : before?.entries;
  const removed = format.remove(text, { original, keeps, recorded });
  if (removed.type === 'broken') return removed;
  return { type: 'text', text: removed.text, state: removed.text === text ? state : stateOfText(removed.text) };
}

const NOT_TEXT: BrokenSettings = { type: 'broken', line: 1, column: 1, message: 'it is not UTF-8 text' };

type Staying = { readonly type: 'holders'; readonly holders: readonly SettingsHolder[] } | BrokenSettings;

/** Entries that a person removed from the file are not added again for earlier holders. */
function withoutRemoved({ format, staying, current, before }: PlanFacts): Staying {
  const text = textOf(current);
  if (text === undefined) return NOT_TEXT;
  const owned = format.owned(text, before?.entries);
  if (owned.type === 'broken') return owned;
  const keys = new Set(owned.keys);
  const left = staying.map((holder) => ({
    ...holder,
    entries: holder.entries.filter((entry) => keys.has(keyOfEntry(entry))),
  }));
  return { type: 'holders', holders: left.filter(({ kind, entries }) => kind === 'launch' || entries.length > 0) };
}
