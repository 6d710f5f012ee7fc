import { join } from 'node:path';
import { type Git, outputOf } from '../git.ts';
import { writeTree } from '../privateIndex.ts';
import { shownPath } from '../quotedPath.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { diffTrees } from '../treeDiff.ts';
import type { RestoreStep } from './decideRestore.ts';

/** A private index with the files as they will be. */
export interface ResultTree extends AsyncDisposable {
  readonly tree: string;
  readonly indexFile: string;
}

interface ResultRequest {
  readonly present: string;
  readonly steps: readonly RestoreStep[];
}

/** The present tree with the steps applied; rejects when that would change any other path. */
export async function resultTree(git: Git, folder: string, request: ResultRequest): Promise<ResultTree> {
  const { path, [Symbol.asyncDispose]: remove } = await temporaryFolder('restore');
  const indexFile = join(path, 'index');
  try {
    return { tree: await build(git, { folder, indexFile, ...request }), indexFile, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function build(
  git: Git,
  { present, steps, ...index }: ResultRequest & { readonly folder: string; readonly indexFile: string },
): Promise<string> {
  await outputOf(git, { ...index, args: ['read-tree', present] });
  const removals = steps
    .filter(({ kept }) => kept === undefined)
    .map(({ path }) => `0 ${'0'.repeat(present.length)}\t${path}`);
  const writes = steps.flatMap(({ kept, path }) => (kept ? [`${kept.mode} ${kept.object}\t${path}`] : []));
  const args = ['update-index', '--add', '--replace', '--index-info'];
  await outputOf(git, { ...index, args, input: [...removals, ...writes] });
  const tree = await writeTree(git, { ...index, settings: {} });
  const known = new Set(steps.map(({ path }) => path));
  const changed = await diffTrees(git, index.folder, [present, tree]);
  const other = [...changed.keys()].find((path) => !known.has(path));
  if (other === undefined) return tree;
  throw new Error(`${shownPath(other)} would be removed, which the kept state never had`);
}
