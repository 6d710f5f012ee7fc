import { join } from 'node:path';
import type { Git, GitFailure } from '../git.ts';
import { shownPath } from '../quotedPath.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { diffTrees } from '../treeDiff.ts';
import type { RestoreStep } from './decideRestore.ts';

/** A private index with the files as they will be. */
export interface ResultTree extends AsyncDisposable {
  readonly type: 'result';
  readonly tree: string;
  readonly indexFile: string;
}

interface ResultRequest {
  readonly folder: string;
  readonly present: string;
  readonly steps: readonly RestoreStep[];
}

/** The present tree with the steps applied; fails when that would change any other path. */
export async function resultTree(
  git: Git,
  request: ResultRequest,
): Promise<ResultTree | GitFailure | { readonly type: 'collision'; readonly reason: string }> {
  const { path, [Symbol.asyncDispose]: remove } = await temporaryFolder('restore');
  const indexFile = join(path, 'index');
  const tree = await build(git, request, indexFile);
  if (typeof tree === 'string') return { type: 'result', tree, indexFile, [Symbol.asyncDispose]: remove };
  await remove();
  return tree;
}

async function build(git: Git, { folder, present, steps }: ResultRequest, indexFile: string) {
  const read = await git.run({ folder, args: ['read-tree', present], indexFile });
  if (read.type === 'failed') return read;
  const removals = steps
    .filter(({ kept }) => kept === undefined)
    .map(({ path }) => `0 ${'0'.repeat(present.length)}\t${path}`);
  const writes = steps.flatMap(({ kept, path }) => (kept ? [`${kept.mode} ${kept.object}\t${path}`] : []));
  const input = `${[...removals, ...writes].join('\n')}\n`;
  const args = ['update-index', '--add', '--replace', '--index-info'];
  const updated = await git.run({ folder, args, indexFile, input });
  if (updated.type === 'failed') return updated;
  const written = await git.run({ folder, args: ['write-tree', '--missing-ok'], indexFile });
  if (written.type === 'failed') return written;
  const tree = written.stdout.trim();
  const diff = await diffTrees(git, folder, [present, tree]);
  if (diff.type === 'failed') return diff;
  const known = new Set(steps.map(({ path }) => path));
  const other = [...diff.changes.keys()].find((path) => !known.has(path));
  if (other === undefined) return tree;
  const reason = `${shownPath(other)} would be removed, which the kept state never had.`;
  return { type: 'collision', reason } as const;
}
