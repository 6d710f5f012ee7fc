import path from 'node:path';
import type { HookEntry } from '../../schemas/settingsHold.ts';
import { START_SECONDS, stopHookSeconds } from '../../stop/checks/hookTime.ts';
import { packageRoot } from '../../system/packageRoot.ts';
import { HOST_FEATURES, type HostFeature, OWNERSHIP_MARK } from '../host.ts';

export interface EntryPaths {
  /** Where `profiles/` and `dist/` are. */
  readonly packageRoot: string;
  /** The hooks of another profile than the default one. */
  readonly hooksDir?: string | undefined;
  /** The words that start `stopgate`, unquoted. */
  readonly stopgate: readonly string[];
  /** The timeout of the stop hook, long enough for the checks of the folder. */
  readonly stopSeconds?: number;
  /** The timeout of the session start hook, when checks run then. */
  readonly startSeconds?: number | null;
}

/** Absolute paths, since hooks run in any folder. */
export function entryPaths(): EntryPaths {
  const root = packageRoot();
  // the script that `stopgate hook` starts: going through the command would add a sixth of a bare start
  return { packageRoot: root, stopgate: [process.execPath, path.join(root, 'dist/hook.cjs')] };
}

type Row = (paths: EntryPaths) => readonly HookEntry[];

const script = (name: string, { packageRoot, hooksDir }: EntryPaths, ...args: readonly string[]) =>
  [path.join(hooksDir ?? path.join(packageRoot, 'profiles/default/hooks'), name), ...args].map(quoted).join(' ');

const hook = (name: string, { stopgate }: EntryPaths) => `${stopgate.map(quoted).join(' ')} hook ${name}`;

/** A script that starts Node only when it must, and then the small script, not the whole command. */
const withNode = (name: string, paths: EntryPaths) =>
  script(name, paths, process.execPath, path.join(paths.packageRoot, 'dist/hook.cjs'));

const sessionStart: Row = (paths) => {
  const { startSeconds = null } = paths;
  const name = startSeconds === null ? 'session-start' : `session-start --timeout ${startSeconds}`;
  return [{ event: 'SessionStart', command: hook(name, paths), timeout: startSeconds ?? START_SECONDS }];
};
const stopSeconds = (paths: EntryPaths) => paths.stopSeconds ?? stopHookSeconds([]);

const ENTRIES: Readonly<Record<HostFeature, Row>> = {
  // the hook waits for checks and for tasks, so that the model does not poll
  checks: (paths) => [
    // the hook gets its own timeout: a later verdict would be discarded
    {
      event: 'Stop',
      command: hook(`stop --timeout ${stopSeconds(paths)}`, paths),
      timeout: stopSeconds(paths),
      statusMessage: 'stopgate',
    },
    // the host does not wait for it, so it only saves its input; a user's profile need not have it
    { event: 'StopFailure', command: script('stop-failure.sh', { ...paths, hooksDir: undefined }), timeout: 5 },
    ...sessionStart(paths),
    // only tools that can change files; a user's profile need not have it
    {
      event: 'PreToolUse',
      matcher: 'Bash|Edit|Write|MultiEdit|NotebookEdit',
      command: withNode('gate-guard.sh', { ...paths, hooksDir: undefined }),
      timeout: 10,
    },
  ],
  countdown: (paths) => [
    // once per batch of calls, also when all of them failed or were denied; it takes no matcher
    { event: 'PostToolBatch', command: `${script('budget-countdown.sh', paths)} PostToolBatch`, timeout: 5 },
    // for a batch that a person interrupted; a user's profile need not have it
    {
      event: 'UserPromptSubmit',
      command: script('interrupted-countdown.sh', { ...paths, hooksDir: undefined }),
      timeout: 5,
    },
    // the times in a resumed session's history are old; also reports a clock that cannot be read
    ...sessionStart(paths),
  ],
  landing: (paths) => [{ event: 'PreToolUse', matcher: '*', command: withNode('landing.sh', paths), timeout: 10 }],
};

/** The entries of these features, in the table's order. */
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
