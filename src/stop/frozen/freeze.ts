import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Git, openGit, readLines } from '../../git/git.ts';
import { pathBytes } from '../../git/quotedPath.ts';
import type { FoundWorkTree } from '../../git/workTree.ts';
import { wallNow } from '../../system/clock.ts';
import type { ProcessRunner } from '../../system/processes.ts';
import { textIn } from '../../system/readTextFile.ts';
import type { DefinitionOfDone } from '../checks/types.ts';
import type { GateWorld } from '../world.ts';
import { type Frozen, freezeScripts } from './frozen.ts';
import { protectedStart, type TreeState } from './protectedFiles.ts';

const LARGEST_CONFIG = 1024 * 1024;

export type FreezeWorld = Pick<GateWorld, 'env' | 'stopgateHome' | 'clock' | 'definition'> & {
  readonly processes: ProcessRunner;
};

/** The repository of a definition of done, as it is now. */
export interface FreezePlace {
  /** Of the folder of the configuration. */
  readonly workTree: Promise<FoundWorkTree>;
  /** The state of the files, for those that are protected. */
  readonly tree: () => Promise<TreeState | string>;
}

/** A definition of done and everything it runs, as they are now. */
export async function freeze(
  done: DefinitionOfDone,
  { workTree, tree }: FreezePlace,
  world: FreezeWorld,
): Promise<Frozen> {
  const folder = path.dirname(done.file);
  // the state takes the longest by far, and needs nothing of the rest
  const stateRead = done.protect.length === 0 ? '' : tree();
  const [state, scripts] = await Promise.all([stateRead, scriptsOf(done, await workTree, world)]);
  return {
    ...scripts,
    frozenAt: new Date(wallNow(world.clock)).toISOString(),
    protectedStart: typeof state === 'string' ? null : protectedStart(done.protect, folder, state),
  };
}

async function scriptsOf(done: DefinitionOfDone, workTree: FoundWorkTree, world: FreezeWorld) {
  const git = openGit(world);
  const folder = path.dirname(done.file);
  const topLevel = workTree.type === 'workTree' ? workTree.topLevel : await realpath(folder);
  const text = world.definition?.text ?? textIn(done.file, LARGEST_CONFIG);
  const isIgnored = (files: readonly string[]) => ignoredAmong(git, topLevel, files);
  return freezeScripts({ done, text, topLevel, isIgnored });
}

/** Those of the files that git ignores. */
export async function ignoredAmong(git: Git, topLevel: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set();
  const input = files.map((file) => path.relative(topLevel, file)).join('\0');
  const ask = async (more: readonly string[]) => {
    const args = ['check-ignore', '-z', '--stdin', ...more];
    const found = await git.run({ folder: topLevel, args, input, okCodes: [1] });
    return found.type === 'done' ? found.stdout.split('\0').filter((name) => name !== '') : [];
  };
  // a tracked file is never ignored, but to know the tracked ones git reads all of its index
  const byRules = await ask(['--no-index']);
  const names = byRules.length === 0 ? [] : await ask([]);
  return new Set(names.map((name) => path.join(topLevel, name)));
}

/** Paths from the root of a worktree, by options of `git ls-files`. Rejects as git fails. */
export const listFiles = (git: Git, folder: string, args: readonly string[]): Promise<readonly string[]> =>
  readLines(git, { folder, args: ['ls-files', ...args] }, (line) => pathBytes(line).toString('utf8'));
