import { isAbsolute } from 'node:path';
import { findProgram } from '../findProgram.ts';
import type { ProcessRunner } from '../processes.ts';
import { type Bubblewrap, bwrapCommand } from './bwrapCommand.ts';

export interface ProbeFacts {
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
  readonly filterFile: string | undefined;
  /** Programs in these do not count: a repository must not bring its own bwrap. */
  readonly folders: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/** `reason` has what is missing and how to get it, without a period. */
export type Probe =
  | { readonly type: 'works'; readonly bwrap: Bubblewrap }
  | { readonly type: 'unavailable'; readonly reason: string };

const INSTALL =
  'bwrap is not installed; install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap or pacman -S bubblewrap)';
const PERMIT =
  'permit user namespaces (sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 or kernel.unprivileged_userns_clone=1; in a container, run it privileged)';
const PROBE_MS = 10_000;

/** Tries to run a command in bwrap. */
export async function probeBubblewrap(facts: ProbeFacts): Promise<Probe> {
  if ((facts.platform ?? process.platform) !== 'linux') {
    return { type: 'unavailable', reason: 'it needs Linux; run Stopgate in a container or a virtual machine' };
  }
  const program = findOutside(facts);
  if (program === null) return { type: 'unavailable', reason: INSTALL };
  const newest: Bubblewrap = { program, filterFile: facts.filterFile, disablesUserNamespaces: true };
  const failure = await tryOut(newest, facts);
  if (failure === null) return { type: 'works', bwrap: newest };
  // before 0.8 bwrap does not know the option; the filter refuses new namespaces as well
  const older = { ...newest, disablesUserNamespaces: false };
  if (facts.filterFile !== undefined && (await tryOut(older, facts)) === null) return { type: 'works', bwrap: older };
  return { type: 'unavailable', reason: `${program} cannot start a command (${failure}); ${PERMIT}` };
}

function findOutside({ env, folders }: ProbeFacts): string | null {
  const isForeign = (folder: string) => folders.some((open) => folder === open || folder.startsWith(`${open}/`));
  const searchPath = (env.PATH ?? '/usr/bin:/bin')
    .split(':')
    .filter((folder) => isAbsolute(folder) && !isForeign(folder))
    .join(':');
  return findProgram('bwrap', '/', searchPath);
}

async function tryOut(bwrap: Bubblewrap, { processes }: ProbeFacts): Promise<string | null> {
  const inside = { file: '/bin/sh', args: ['-c', 'exit 0'], cwd: '/', env: {} };
  const command = bwrapCommand(bwrap, [], { emptyFile: '', deniedFolder: '' }, inside);
  const end = await processes.start({ ...command, timeoutMs: PROBE_MS, maxOutputBytes: 2_000 }).ended;
  if (end.type === 'notStarted') return end.error;
  if (end.type === 'exited' && end.code === 0) return null;
  const [line = ''] = end.stderr.split('\n');
  if (end.type === 'timedOut') return 'it did not end within 10s';
  return line.replace(/^bwrap: /, '').replace(/\.$/, '') || `it ended with ${'code' in end ? end.code : end.type}`;
}
