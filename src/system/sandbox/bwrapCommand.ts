import { type DeniedSources, type Mount, mountArguments } from './mounts.ts';

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

/** The command line that runs a command inside; the whole file system is there to be read but for the mounts. */
export function bwrapCommand(
  bwrap: Bubblewrap,
  mounts: readonly Mount[],
  denied: DeniedSources,
  { file, args, cwd }: InsideCommand,
): { readonly file: string; readonly args: readonly string[] } {
  const options = [
    ...SHUT,
    ...(bwrap.disablesUserNamespaces ? ['--disable-userns'] : []),
    ...(bwrap.filterFile === undefined ? [] : ['--seccomp', DESCRIPTOR]),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...mountArguments(mounts, denied),
    ...['--chdir', cwd, '--', file, ...args],
  ];
  if (bwrap.filterFile === undefined) return { file: bwrap.program, args: options };
  return { file: '/bin/sh', args: ['-c', OPEN_FILTER, 'sandbox', bwrap.filterFile, bwrap.program, ...options] };
}
