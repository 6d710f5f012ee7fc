import { hostname } from 'node:os';
import type { SettingsEntry, SettingsHolder } from '../../schemas/settingsHold.ts';
import { isSameProcess, startOfProcess } from '../../system/processLife.ts';
import { isSameHost, thisHost } from '../../system/thisHost.ts';
import { keyOfEntry } from './format.ts';

/** True while a launch's process runs. A launch on another machine counts as running: its pid means nothing here. */
function isRunning({ kind, host, pid, pidStartedAt }: SettingsHolder): boolean {
  return kind === 'launch' && (!isSameHost(host, thisHost()) || isSameProcess(pid, pidStartedAt));
}

/** A launch that was killed never released its hold; an `init` holds without a process. */
export const stillHolds = (holder: SettingsHolder): boolean => holder.kind === 'init' || isRunning(holder);

/** This process as a holder. */
export function newHolder(facts: Pick<SettingsHolder, 'id' | 'kind' | 'part' | 'since' | 'entries'>): SettingsHolder {
  const pidStartedAt = startOfProcess(process.pid);
  // the key of a machine is written at its first use, and a dry run of `init`, whose process does not count, writes nothing
  const host = facts.kind === 'init' ? hostname() : thisHost();
  return { ...facts, pid: process.pid, ...(pidStartedAt !== undefined && { pidStartedAt }), host };
}

/** The entries of all holders without duplicates: of two with different paths the first holder's. */
export function wantedEntries(holders: readonly SettingsHolder[]): readonly SettingsEntry[] {
  const wanted = new Map<string, SettingsEntry>();
  for (const entry of holders.flatMap(({ entries }) => entries)) {
    const key = keyOfEntry(entry);
    if (!wanted.has(key)) wanted.set(key, entry);
  }
  return [...wanted.values()];
}
