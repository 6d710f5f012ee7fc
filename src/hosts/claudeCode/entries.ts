import path from 'node:path';
import type { HookEventName } from '../../schemas/hookEventNames.ts';

/** One hook of ours as the settings file holds it: a group of its own with one command. */
export interface HookEntry {
  readonly event: HookEventName;
  readonly matcher?: string;
  readonly command: string;
  /** In seconds, as the file has it. */
  readonly timeout: number;
}

/** What a person can switch on. */
export const HOST_FEATURES = ['checks', 'countdown', 'landing'] as const;
export type HostFeature = (typeof HOST_FEATURES)[number];

export interface EntryPaths {
  /** Where `profiles/` and `dist/` are. */
  readonly packageRoot: string;
  /** Another profile's hooks than the default one's. */
  readonly hooksDir?: string | undefined;
  /** What starts `stopgate`: the words before its first argument, unquoted. */
  readonly stopgate: readonly string[];
}

/**
 * Ends every command of ours. The agent runs commands through a shell, to which it is a comment: it costs nothing, no
 * schema refuses it, and it goes wherever a person moves the entry.
 */
export const OWNERSHIP_MARK = '# stopgate';

type Row = (paths: EntryPaths) => readonly HookEntry[];

const script = (name: string, { packageRoot, hooksDir }: EntryPaths, ...args: readonly string[]) =>
  [path.join(hooksDir ?? path.join(packageRoot, 'profiles/default/hooks'), name), ...args].map(quoted).join(' ');

const hook = (name: string, { stopgate }: EntryPaths) => `${stopgate.map(quoted).join(' ')} hook ${name}`;

/** Starts Node only when time is short, and then the small script, not the whole command. */
const landing = (paths: EntryPaths) =>
  script('landing.sh', paths, process.execPath, path.join(paths.packageRoot, 'dist/hook.cjs'));

const ENTRIES: Readonly<Record<HostFeature, Row>> = {
  // the gate waits for checks and for tasks inside the hook: the model does not poll
  checks: (paths) => [
    // the hook is told its own time-out: a verdict that comes later is thrown away
    { event: 'Stop', command: hook('stop --timeout 3600', paths), timeout: 3600 },
    // not waited for, so it only keeps what it is told; a profile of somebody's own need not have it
    { event: 'StopFailure', command: script('stop-failure.sh', { ...paths, hooksDir: undefined }), timeout: 5 },
    { event: 'SessionStart', command: hook('session-start', paths), timeout: 30 },
  ],
  countdown: (paths) => [
    { event: 'PostToolUse', matcher: '*', command: script('budget-countdown.sh', paths), timeout: 5 },
  ],
  landing: (paths) => [{ event: 'PreToolUse', matcher: '*', command: landing(paths), timeout: 10 }],
};

/** The entries of these features, in the table's order whatever the order asked. */
export function hookEntries(features: readonly HostFeature[], paths: EntryPaths): readonly HookEntry[] {
  return HOST_FEATURES.filter((feature) => features.includes(feature))
    .flatMap((feature) => ENTRIES[feature](paths))
    .map((entry) => ({ ...entry, command: `${entry.command} ${OWNERSHIP_MARK}` }));
}

/** One word for `sh`, `bash` and `zsh`: in double quotes only these four mean something. */
function quoted(word: string): string {
  return `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
