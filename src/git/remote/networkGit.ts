import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDuration } from '../../system/formatDuration.ts';
import { type Git, type GitCommand, type GitEnd, outputOf } from '../git.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { exists, oneLine } from '../workTree.ts';
import { type Remote, withoutUsers } from './repositoryAddress.ts';

/** How long each kind of command may take. */
export interface RemoteLimits {
  readonly listMs: number;
  readonly fetchMs: number;
  readonly pushMs: number;
}

/** A first clone of a large repository over a slow line is the longest. */
export const REMOTE_LIMITS: RemoteLimits = { listMs: 60_000, fetchMs: 15 * 60_000, pushMs: 3 * 60_000 };

export type RemoteFailure = { readonly type: 'failed'; readonly reason: string };

/** Commands that reach the remote of a task, over the objects and refs of a local repository. */
export interface Network {
  readonly remote: Remote;
  readonly limits: RemoteLimits;
  run(
    command: Pick<GitCommand, 'args' | 'okCodes' | 'timeoutMs'>,
  ): Promise<Extract<GitEnd, { type: 'done' }> | RemoteFailure>;
}

export interface NetworkRequest {
  /** Any folder of the repository. */
  readonly folder: string;
  readonly remote: Remote;
  readonly limits?: RemoteLimits | undefined;
}

/** What `REMOTE` is called in the commands. */
export const REMOTE = 'stopgate';

/**
 * The repository's own configuration is not read: an agent can write it, and it could send the work, and what the user's credential
 * helper answers, to another server (`url.….insteadOf`, `http.proxy`). So these commands get a git folder of their own, with links
 * to the repository's objects and refs. The user's configuration counts. No hook runs, no submodule is fetched, nothing prompts.
 */
export async function withNetwork<Result>(
  git: Git,
  { folder, remote, limits = REMOTE_LIMITS }: NetworkRequest,
  use: (network: Network) => Promise<Result>,
): Promise<Result | RemoteFailure> {
  const common = await oneLine(git, folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (common === undefined) return { type: 'failed', reason: `${folder} is not in a git repository.` };
  await using own = await temporaryFolder('remote');
  const gitDir = own.path;
  await linkRepository(
    common,
    gitDir,
    (await oneLine(git, folder, ['rev-parse', '--show-object-format'])) === 'sha256',
  );
  const asked = { folder: gitDir, network: { gitDir, protocols: remote.protocols } };
  const sshCommand = await outputOf(git, {
    ...asked,
    args: ['config', '--get', 'core.sshCommand'],
    okCodes: [1],
  }).catch(() => '');
  const network = { ...asked.network, ...(sshCommand !== '' && { sshCommand }) };
  const settings = { ...SETTINGS, [`remote.${REMOTE}.url`]: remote.url };
  return await use({
    remote,
    limits,
    run: async (command) => {
      const end = await git.run({ ...command, folder: gitDir, network, settings });
      return end.type === 'done' ? end : { type: 'failed', reason: describeFailure(end, remote, command.timeoutMs) };
    },
  });
}

const SETTINGS = {
  'push.gpgSign': 'false',
  'push.followTags': 'false',
  'push.recurseSubmodules': 'no',
  'fetch.recurseSubmodules': 'false',
  'fetch.writeCommitGraph': 'false',
  'fetch.fsckObjects': 'false',
  'credential.interactive': 'false',
  // a server that sends nothing
  'http.lowSpeedLimit': '1',
  'http.lowSpeedTime': '60',
};

async function linkRepository(common: string, gitDir: string, isSha256: boolean): Promise<void> {
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  const version = isSha256 ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' : '';
  await writeFile(join(gitDir, 'config'), `[core]\n\tbare = true\n${version}`);
  for (const name of ['objects', 'refs', 'packed-refs', 'shallow']) {
    const place = join(common, name);
    if (await exists(place)) await symlink(place, join(gitDir, name));
  }
}

/** In one sentence that names the remote. */
function describeFailure(
  { reason, stderr }: Extract<GitEnd, { type: 'failed' }>,
  { url }: Remote,
  timeoutMs: number | undefined,
): string {
  if (/did not end in time/.test(reason))
    return `${url} did not answer completely within ${formatDuration(timeoutMs ?? 0)}.`;
  const lines = stderr.split('\n').map((line) => line.trim());
  const told = WORSE.map((pattern) => lines.find((line) => pattern.test(line))).find((line) => line !== undefined);
  const why = (told ?? reason).replace(/^(?:remote: )?(?:error|fatal): /, '').replace(/[.\s]+$/, '');
  return `${url} could not be used: ${withoutUsers(why).slice(0, 300)}.`;
}

/** The lines of git that say most, before the ones that only repeat that something failed. */
const WORSE = [
  /^ssh: |Permission denied|Host key verification failed|Connection (?:refused|timed out|reset)/i,
  /^remote: (?:error|fatal): /,
  /^fatal: (?!Could not read from remote)/,
  /^(?:error|fatal): /,
];
