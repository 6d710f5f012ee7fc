import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { readTextFile } from '../system/readTextFile.ts';
import { submodulePaths } from './changes.ts';
import { failureOf, type Git } from './git.ts';
import { READ_ONLY_SETTINGS, SHUT_VARIABLES, withSettings } from './hardening.ts';
import { absolutePath } from './quotedPath.ts';
import { findWorkTree, oneLine, type WorkTree } from './workTree.ts';

/** An environment in which git commands that only read run no program of the repository, or why there is none. */
export type ReadOnlyGit =
  | { readonly type: 'environment'; readonly variables: Readonly<Record<string, string>> }
  | { readonly type: 'unclear'; readonly reason: string };

const VARIABLES: Readonly<Record<string, string>> = {
  ...SHUT_VARIABLES,
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_ASKPASS: 'true',
};

const MAX_SUBMODULES = 100;
const MAX_DEPTH = 4;
const LONGEST_POINTER = 8_192;

interface Collected {
  readonly settings: Record<string, string>;
  submodules: number;
}

/**
 * For the folders that a command runs git in. Programs are overridden instead of refused, because ordinary repositories
 * name some too (husky's hooks, Git LFS). The repository chooses the names of drivers, so its configuration is read
 * first, and that of each submodule, because git runs itself there.
 */
export async function readOnlyEnvironment(
  git: Git,
  folders: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ReadOnlyGit> {
  const collected: Collected = { settings: { ...READ_ONLY_SETTINGS }, submodules: 0 };
  try {
    for (const folder of folders) {
      const reason = await visit(git, folder, collected);
      if (reason !== undefined) return { type: 'unclear', reason };
    }
  } catch (error) {
    return { type: 'unclear', reason: failureOf(error).reason };
  }
  return { type: 'environment', variables: { ...withSettings(env, collected.settings), ...VARIABLES } };
}

/** Collects the overrides for a repository and its submodules; returns a reason when they cannot be known. */
async function visit(git: Git, folder: string, collected: Collected, depth = 0): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => undefined);
  // a folder that is not there has no configuration
  if (real === undefined) return undefined;
  const found = await findWorkTree(git, real);
  if (found.type === 'failed') return found.reason;
  if (found.type === 'notARepository') return await whyNoFiles(git, real);
  // a submodule that is not checked out is an empty folder of the outer repository
  if (depth > 0 && found.topLevel !== real) return undefined;
  if (depth > MAX_DEPTH || (depth > 0 && ++collected.submodules > MAX_SUBMODULES)) {
    return `${folder} is one submodule more than can be read (${MAX_SUBMODULES}, ${MAX_DEPTH} deep).`;
  }
  Object.assign(collected.settings, await git.programsOff(real));
  const elsewhere = await whyElsewhere(found);
  if (elsewhere !== undefined) return elsewhere;
  const { topLevel } = found;
  for (const submodule of await submodulePaths(git, topLevel).catch(() => [])) {
    const reason = await visit(git, absolutePath(topLevel, submodule).toString('utf8'), collected, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** If it is a repository after all, its files are elsewhere. */
async function whyNoFiles(git: Git, folder: string): Promise<string | undefined> {
  const gitDir = await oneLine(git, folder, ['rev-parse', '--absolute-git-dir']);
  return gitDir === undefined ? undefined : `The files of the repository in ${gitDir} are in another folder.`;
}

/** `core.worktree` can name any folder on the disk. */
async function whyElsewhere({ topLevel, gitDir }: WorkTree): Promise<string | undefined> {
  const entry = path.join(topLevel, '.git');
  const pointer = await readTextFile(entry, LONGEST_POINTER);
  const named = pointer.type !== 'read' ? entry : path.resolve(topLevel, pointer.text.replace(/^gitdir: |\n$/g, ''));
  const [real, own] = await Promise.all([named, gitDir].map((one) => realpath(one).catch(() => one)));
  if (real === own) return undefined;
  return `The git configuration in ${gitDir} makes ${topLevel} its files, and that is another folder.`;
}
