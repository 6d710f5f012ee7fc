import path from 'node:path';
import type { HookEventName } from '../../schemas/hookEventNames.ts';
import { stopHookSeconds } from '../../stop/checks/hookTime.ts';

/** One hook of ours as the settings file holds it: a group of its own with one command. */
export interface HookEntry {
  readonly event: HookEventName;
  readonly matcher?: string;
  readonly command: string;
  /** In seconds, as the file has it. */
  readonly timeout: number;
  /** Shown while it runs. Claude Code also names the hook by it in what the model reads, instead of by its command. */
  readonly statusMessage?: string;
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
  /** The timeout of the stop hook: the checks of the folder must fit in. */
  readonly stopSeconds?: number;
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

const sessionStart: Row = (paths) => [{ event: 'SessionStart', command: hook('session-start', paths), timeout: 30 }];
const stopSeconds = (paths: EntryPaths) => paths.stopSeconds ?? stopHookSeconds([]);

const ENTRIES: Readonly<Record<HostFeature, Row>> = {
  // the gate waits for checks and for tasks inside the hook: the model does not poll
  checks: (paths) => [
    // the hook knows its own timeout: a verdict that comes later is thrown away
    {
      event: 'Stop',
      command: hook(`stop --timeout ${stopSeconds(paths)}`, paths),
      timeout: stopSeconds(paths),
      statusMessage: 'stopgate',
    },
    // not waited for, so it only keeps what it is told; a user's own profile need not have it
    { event: 'StopFailure', command: script('stop-failure.sh', { ...paths, hooksDir: undefined }), timeout: 5 },
    ...sessionStart(paths),
  ],
  countdown: (paths) => [
    // fired once for each batch of calls, also when all of them failed or were denied; it takes no matcher
    { event: 'PostToolBatch', command: `${script('budget-countdown.sh', paths)} PostToolBatch`, timeout: 5 },
    // except when a person interrupted the batch; a user's own profile need not have it
    {
      event: 'UserPromptSubmit',
      command: script('interrupted-countdown.sh', { ...paths, hooksDir: undefined }),
      timeout: 5,
    },
    // what a resumed session's history says of the time is old; and a clock that cannot be read is named here
    ...sessionStart(paths),
  ],
  landing: (paths) => [{ event: 'PreToolUse', matcher: '*', command: landing(paths), timeout: 10 }],
};

/** The entries of these features, in the table's order whatever the order asked. */
export function hookEntries(features: readonly HostFeature[], paths: EntryPaths): readonly HookEntry[] {
  const entries = HOST_FEATURES.filter((feature) => features.includes(feature)).flatMap((feature) =>
    ENTRIES[feature](paths),
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
