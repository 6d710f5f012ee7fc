import type { ChildSpec } from '../childStarter.ts';
import { type Mount, mountArguments, type ShutSources } from './mounts.ts';

/** The bubblewrap of this machine. */
export interface Bubblewrap {
  readonly program: string;
  /** The compiled filter; undefined on processors without one. */
  readonly filterFile: string | undefined;
  /** Whether it can forbid user namespaces inside (since 0.8). */
  readonly disablesUserNamespaces: boolean;
}

export type InsideCommand = Omit<ChildSpec, 'input'>;

/**
 * Own namespaces of every kind, no capability (root keeps all by default), a session without a terminal; ends with its
 * parent process.
 */
const SHUT = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
];

const DESCRIPTOR = '9';
/** The filter is passed as an open file, and our spawn helper passes only three. */
const OPEN_FILTER = `exec ${DESCRIPTOR}<"$1" && shift && exec "$@"`;

/** Variables of the dynamic loader: bwrap itself runs outside, and they could name a library in a writable folder. */
const FOR_THE_LOADER = /^(LD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH)$/;

/** The command that runs another inside; except for the mounts, the whole file system is readable. */
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
    // root could write the kernel's settings in /proc/sys, which need no capability
    ...['--remount-ro', '/proc'],
    ...set.flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--', file, ...args],
  ];
  const outside = { cwd, env: Object.fromEntries(variables.filter(([name]) => !FOR_THE_LOADER.test(name))) };
  if (bwrap.filterFile === undefined) return { file: bwrap.program, args: options, ...outside };
  const words = ['-c', OPEN_FILTER, 'sandbox', bwrap.filterFile, bwrap.program, ...options];
  return { file: '/bin/sh', args: words, ...outside };
}
