import { type Mount, mountArguments, type ShutSources } from './mounts.ts';

/** What of bubblewrap this machine has. */
export interface Bubblewrap {
  readonly program: string;
  /** Where the compiled filter is; undefined on processors for which there is none. */
  readonly filterFile: string | undefined;
  /** Whether it can forbid user namespaces inside (since 0.8). */
  readonly disablesUserNamespaces: boolean;
}

export interface InsideCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Own namespaces of every kind, no capability (a root keeps all by default), a session without a terminal, and an end
 * with the process that started it.
 */
const SHUT = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
];

const DESCRIPTOR = '9';
/** The filter is handed over as an open file, and what starts processes for us passes on three of them only. */
const OPEN_FILTER = `exec ${DESCRIPTOR}<"$1" && shift && exec "$@"`;

/** What the dynamic loader obeys: for bwrap itself, which runs outside, it could name a library in an open folder. */
const FOR_THE_LOADER = /^(LD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH)$/;

/** What to start so that a command runs inside; the whole file system is there to be read but for the mounts. */
export function bwrapCommand(
  bwrap: Bubblewrap,
  mounts: readonly Mount[],
  sources: ShutSources,
  { file, args, cwd, env }: InsideCommand,
): InsideCommand {
  const variables = Object.entries(env);
  const set = variables.filter(([name]) => FOR_THE_LOADER.test(name));
  const options = [
    ...SHUT,
    ...(bwrap.disablesUserNamespaces ? ['--disable-userns'] : []),
    ...(bwrap.filterFile === undefined ? [] : ['--seccomp', DESCRIPTOR]),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...mountArguments(mounts, sources),
    // a root owns the kernel's settings in /proc/sys, for which no capability is asked
    ...['--remount-ro', '/proc'],
    ...set.flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--', file, ...args],
  ];
  const outside = { cwd, env: Object.fromEntries(variables.filter(([name]) => !FOR_THE_LOADER.test(name))) };
  if (bwrap.filterFile === undefined) return { file: bwrap.program, args: options, ...outside };
  const words = ['-c', OPEN_FILTER, 'sandbox', bwrap.filterFile, bwrap.program, ...options];
  return { file: '/bin/sh', args: words, ...outside };
}
