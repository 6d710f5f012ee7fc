import path from 'node:path';
import type { HookEntry } from '../schemas/settingsHold.ts';
import { START_SECONDS, stopHookSeconds } from '../stop/checks/hookTime.ts';
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

/** A script that starts Node only when it must, and then the small script, not the whole command. */
const withNode = (name: string, paths: EntryPaths, ...args: readonly string[]): string =>
  script(name, paths, process.execPath, path.join(paths.packageRoot, 'dist/hook.cjs'), ...args);

/** What a user's profile need not have: always the script of the default one. */
export const withoutProfile = (paths: EntryPaths): EntryPaths => ({ ...paths, hooksDir: undefined });

/** The hooks of each feature. */
type FeatureRows = Readonly<Record<HostFeature, (paths: EntryPaths) => readonly HookEntry[]>>;

/** What differs between the hooks of hosts; the names of events are Claude Code's where none is given. */
export interface EntryForm {
  /** Events of several hosts look alike, so the hook is told who calls. */
  readonly host?: string;
  /** More words for `stopgate hook`. */
  readonly words?: readonly string[];
  readonly stop?: Pick<HookEntry, 'event' | 'statusMessage'>;
  readonly beforeTool?: string;
  /** The tools that can change files, and all tools. */
  readonly matchers?: { readonly changing?: string; readonly all?: string };
  /** The events after which the time left is shown, each with the words for the script. */
  readonly countdown: readonly string[];
  /** The most that a hook of this host may take: longer checks go on between the stops, see src/stop/checks/pieces. */
  readonly longestSeconds?: number;
  /** Hooks that only this host needs. */
  readonly more?: Partial<FeatureRows>;
}

function entryRows(form: EntryForm): FeatureRows {
  const { host, words = [], stop = { event: 'Stop' }, beforeTool = 'PreToolUse', matchers = {}, longestSeconds } = form;
  const caller = host === undefined ? [] : ['--host', host];
  const hook = (name: string, { stopgate }: EntryPaths) =>
    [...stopgate.map(quoted), 'hook', name, ...caller, ...words].join(' ');
  const tool = (matcher: string | undefined) => ({ event: beforeTool, ...(matcher && { matcher }) });
  // the hook gets its own timeout: a later verdict would be discarded
  const stops = (paths: EntryPaths): HookEntry => {
    const whole = paths.stopSeconds ?? stopHookSeconds([]);
    const name =
      longestSeconds === undefined ? `stop --timeout ${whole}` : `stop --timeout ${longestSeconds} --whole ${whole}`;
    return { ...stop, command: hook(name, paths), timeout: longestSeconds ?? whole };
  };
  const starts = (paths: EntryPaths): HookEntry => {
    const seconds = Math.min(paths.startSeconds ?? START_SECONDS, longestSeconds ?? Number.POSITIVE_INFINITY);
    const isNamed = longestSeconds !== undefined || (paths.startSeconds ?? null) !== null;
    const name = isNamed ? `session-start --timeout ${seconds}` : 'session-start';
    return { event: 'SessionStart', command: hook(name, paths), timeout: seconds };
  };
  return {
    checks: (paths) => [
      stops(paths),
      ...(form.more?.checks?.(paths) ?? []),
      starts(paths),
      {
        ...tool(matchers.changing),
        command: withNode('gate-guard.sh', withoutProfile(paths), ...caller),
        timeout: 10,
      },
    ],
    countdown: (paths) => [
      ...form.countdown.map((event) => ({
        event: event.split(' ')[0] ?? event,
        command: `${script('budget-countdown.sh', paths)} ${event}`,
        timeout: 5,
      })),
      ...(form.more?.countdown?.(paths) ?? []),
      // the times in a resumed session's history are old; also reports a clock that cannot be read
      starts(paths),
    ],
    landing: (paths) => [{ ...tool(matchers.all), command: withNode('landing.sh', paths, ...caller), timeout: 10 }],
  };
}

/** The entries of features at one host, in one order, without duplicates, each with our mark. */
export function entriesOf(form: EntryForm) {
  const rows = entryRows(form);
  return (features: readonly HostFeature[], paths: EntryPaths): readonly HookEntry[] => {
    const entries = HOST_FEATURES.filter((one) => features.includes(one)).flatMap((feature) => rows[feature](paths));
    const isFirst = ({ event, command }: HookEntry, at: number) =>
      entries.findIndex((one) => one.event === event && one.command === command) === at;
    return entries.filter(isFirst).map((entry) => ({ ...entry, command: `${entry.command} ${OWNERSHIP_MARK}` }));
  };
}

/** One word for `sh`, `bash` and `zsh`: in double quotes only these four mean something. */
function quoted(word: string): string {
  return `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
