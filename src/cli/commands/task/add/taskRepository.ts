import { type Git, openGit } from '../../../../git/git.ts';
import { commitOf, isAncestor } from '../../../../git/landing/combineWork.ts';
import { fileRemote, type Remote, readAddress } from '../../../../git/remote/repositoryAddress.ts';
import { findWorkTree, oneLine } from '../../../../git/workTree.ts';
import { isCommitId } from '../../../../launch/attempt/repository/fetchStart.ts';
import { localRepository } from '../../../../launch/attempt/repository/localRepository.ts';
import { definedOnly } from '../../../../system/definedOnly.ts';
import { spawnProcesses } from '../../../../system/spawnProcesses.ts';
import { UserError } from '../../../../system/userError.ts';

export interface RepositoryWish {
  /** A URL or a path; undefined: the repository of the current folder, if it is in one. */
  readonly repo: string | undefined;
  /** A branch, tag or commit; undefined: what is checked out there. */
  readonly base: string | undefined;
}

export interface TaskRepository {
  readonly repository?: string;
  readonly base?: string;
  readonly warnings: readonly string[];
}

interface AddWorld {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Workers of other machines may take its tasks. */
  readonly isShared: boolean;
}

/** Where the code of a new task is, and what it starts from. Throws for what no worker could use. */
export async function taskRepository(wish: RepositoryWish, world: AddWorld): Promise<TaskRepository> {
  const env = definedOnly(world.env);
  await using processes = spawnProcesses({ env });
  return await find(openGit({ processes, env }), wish, world);
}

async function find(git: Git, { repo, base }: RepositoryWish, { cwd, isShared }: AddWorld): Promise<TaskRepository> {
  const address = repo === undefined ? ({ type: 'folder', path: cwd } as const) : readAddress(repo, cwd);
  if (address.type === 'refused') throw new UserError(`--repo: ${address.reason}`);
  const given = () => (base === undefined ? null : plainBase(base));
  if (address.type === 'remote') return ofRemote(address, given(), isShared);
  const local = await localRepository(git, address.path);
  if (local === null) {
    if (repo === undefined && base === undefined) return { warnings: [] };
    if (await isBare(git, address.path)) return ofRemote(fileRemote(address.path), given(), isShared);
    throw new UserError(
      repo === undefined
        ? `--base needs a repository, and ${cwd} is not in one; name it with --repo.`
        : `--repo: ${address.path} is not a git repository.`,
    );
  }
  const { topLevel, origin } = local;
  const chosen = await baseOf(git, topLevel, base, origin);
  if (origin === null) {
    const warnings = isShared
      ? [`Other machines cannot reach ${topLevel}, which has no remote: give the task one with --repo.`]
      : [];
    return { repository: topLevel, ...(chosen.base !== null && { base: chosen.base }), warnings };
  }
  const { warnings, ...found } = ofRemote(origin, chosen.base, isShared);
  return { ...found, warnings: [...warnings, ...chosen.warnings] };
}

function ofRemote(remote: Remote, base: string | null, isShared: boolean): TaskRepository {
  const warnings = [
    ...(remote.hadSecret
      ? [
          `The user or password in the address of the repository is not stored: workers use git's own credentials for ${remote.url}.`,
        ]
      : []),
    ...(isShared && remote.protocols === 'file'
      ? [`Other machines cannot reach ${remote.url}, unless they share that folder.`]
      : []),
  ];
  return { repository: remote.url, ...(base !== null && { base }), warnings };
}

async function isBare(git: Git, folder: string): Promise<boolean> {
  return (await oneLine(git, folder, ['--git-dir', '.', 'rev-parse', '--is-bare-repository'])) === 'true';
}

/** As it was given, if it can be a name. */
export function plainBase(base: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  if (base !== '' && !/^[-/]|[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(base)) return base;
  throw new UserError(`--base must be a branch, a tag or a whole commit id, got "${base}".`);
}

/** A branch or tag by its name, anything else as the commit that it means here. */
async function baseOf(git: Git, folder: string, wanted: string | undefined, origin: Remote | null) {
  const found = await findWorkTree(git, folder);
  const current = found.type === 'workTree' ? (found.branch ?? found.head) : undefined;
  const name = wanted ?? current;
  if (name === undefined) return { base: null, warnings: [] };
  const names = [`refs/heads/${name}`, `refs/tags/${name}`];
  const isNamed = (await Promise.all(names.map((ref) => commitOf(git, folder, ref)))).some((one) => one !== undefined);
  const commit = isNamed || isCommitId(name) || name.startsWith('-') ? undefined : await commitOf(git, folder, name);
  const base = commit ?? plainBase(name);
  if (origin === null) {
    const head = found.type === 'workTree' ? found.head : null;
    if (!isNamed && head && (await commitOf(git, folder, base)) === undefined)
      throw new UserError(`--base: ${folder} has no branch, tag or commit ${name}.`);
    // without a commit there is nothing to start from yet
    return { base: head === undefined ? null : base, warnings: [] };
  }
  return { base, warnings: await unpushed(git, folder, base, origin) };
}

/** Neither here nor, at the last fetch, on the remote: workers may know more, but mostly it is mistyped. */
async function unknown(git: Git, folder: string, base: string, url: string): Promise<readonly string[]> {
  const refs = isCommitId(base) ? [base] : [`refs/tags/${base}`, `refs/remotes/origin/${base}`];
  for (const ref of refs) if ((await commitOf(git, folder, ref)) !== undefined) return [];
  const what = isCommitId(base) ? `commit ${base.slice(0, 12)}` : `branch or tag ${base}`;
  return [`No ${what} is known here or, as of the last fetch, on ${url}; unless it is pushed, no attempt can start.`];
}

/** By what this repository knows of its remote: it is not asked, so that adding a task needs no network. */
async function unpushed(git: Git, folder: string, base: string, { url }: Remote): Promise<readonly string[]> {
  const local = await commitOf(git, folder, isCommitId(base) ? base : `refs/heads/${base}`);
  if (local === undefined) return await unknown(git, folder, base, url);
  if (isCommitId(base)) {
    const args = ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', base, 'refs/remotes/origin'];
    const holder = await oneLine(git, folder, args);
    return holder === undefined
      ? [`Commit ${base.slice(0, 12)} is not on ${url} yet; push it, or other machines cannot start from it.`]
      : [];
  }
  const there = await commitOf(git, folder, `refs/remotes/origin/${base}`);
  if (there === undefined)
    return [`The branch ${base} is not on ${url} yet; push it, or other machines cannot start from it.`];
  if (await isAncestor(git, folder, [local, there])) return [];
  return [`The branch ${base} has commits that are not on ${url} yet; push it, or other machines start without them.`];
}
