import path from 'node:path';
import type { HookEntry } from '../schemas/settingsHold.ts';
import { stopHookSeconds } from '../stop/checks/hookTime.ts';
import { packageRoot } from '../system/packageRoot.ts';
import { type EntryPaths, HOST_FEATURES, type HostFeature, OWNERSHIP_MARK } from './host.ts';

/** Absolute paths, since hooks run in any folder. */
export function entryPaths(): EntryPaths {
  const root = packageRoot();
  // the script that `stopgate hook` starts: going through the command would add a sixth of a bare start
  return { packageRoot: root, stopgate: [process.execPath, path.join(root, 'dist/hook.cjs')] };
}

/** A script of the profile, with its arguments. */
export const script = (name: string, { packageRoot, hooksDir }: EntryPaths, ...args: readonly string[]): string =>
  [path.join(hooksDir ?? path.join(packageRoot, 'profiles/default/hooks'), name), ...args].map(quoted).join(' ');

/** A command of `stopgate hook`. */
export const hook = (name: string, { stopgate }: EntryPaths): string =>
  `${stopgate.map(quoted).join(' ')} hook ${name}`;

/** A script that starts Node only when it must, and then the small script, not the whole command. */
export const withNode = (name: string, paths: EntryPaths, ...args: readonly string[]): string =>
  script(name, paths, process.execPath, path.join(paths.packageRoot, 'dist/hook.cjs'), ...args);

export const stopSeconds = (paths: EntryPaths): number => paths.stopSeconds ?? stopHookSeconds([]);

/** The hooks of each feature. */
export type FeatureRows = Readonly<Record<HostFeature, (paths: EntryPaths) => readonly HookEntry[]>>;

/** The entries of these features, in one order, without duplicates, each with our mark. */
export function featureEntries(
  rows: FeatureRows,
  features: readonly HostFeature[],
  paths: EntryPaths,
): readonly HookEntry[] {
  const entries = HOST_FEATURES.filter((feature) => features.includes(feature)).flatMap((feature) =>
    rows[feature](paths),
  );
  return entries
    .filter(
      ({ event, command }, at) => entries.findIndex((one) => one.event === event && one.command === command) === at,
    )
    .map((entry) => ({ ...entry, command: `${entry.command} ${OWNERSHIP_MARK}` }));
}

/** One word for `sh`, `bash` and `zsh`: in double quotes only these four mean something. */
function quoted(word: string): string {
  return `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
