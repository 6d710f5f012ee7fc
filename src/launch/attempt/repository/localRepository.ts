import { realpath } from 'node:fs/promises';
import type { Git } from '../../../git/git.ts';
import { fileRemote, type Remote, readAddress } from '../../../git/remote/repositoryAddress.ts';
import { findWorkTree, oneLine } from '../../../git/workTree.ts';
import type { LocalRepository } from './decidePlace.ts';

/** The repository that a folder is in, or null. */
export async function localRepository(git: Git, folder: string): Promise<LocalRepository | null> {
  const found = await findWorkTree(git, folder);
  if (found.type !== 'workTree') return null;
  const { topLevel } = found;
  const common = await oneLine(git, topLevel, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const real = await realpath(common ?? found.gitDir).catch(() => found.gitDir);
  return { topLevel, commonDir: real, origin: await originOf(git, topLevel) };
}

/** An address that cannot be used counts as none. */
async function originOf(git: Git, topLevel: string): Promise<Remote | null> {
  const text = await oneLine(git, topLevel, ['config', '--get', 'remote.origin.url']);
  const address = text === undefined ? null : readAddress(text, topLevel);
  if (address?.type === 'folder') return fileRemote(address.path);
  return address?.type === 'remote' ? address : null;
}

/**
 * Whether a folder in which an agent worked still belongs to the repository of its task: an agent can replace the git folder of its
 * worktree. True where the task names no folder.
 */
export async function isOfTask(git: Git, folder: string, repository: string | null): Promise<boolean> {
  const address = repository === null ? null : readAddress(repository, '/');
  if (address?.type !== 'folder') return true;
  const [here, named] = await Promise.all([folder, address.path].map((one) => localRepository(git, one)));
  return here != null && here.commonDir === named?.commonDir;
}
