import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git, GitFailure } from '../git.ts';
import { shownPath } from '../quotedPath.ts';
import { diffTrees } from '../treeDiff.ts';
import type { RestoreStep } from './decideRestore.ts';

/** An index of our own that holds the files as they will be. */
export interface ResultTree extends AsyncDisposable {
  readonly type: 'result';
  readonly tree: string;
  readonly indexFile: string;
}

/** The present tree with the steps taken; fails when that would touch any other path. */
export async function resultTree(
  git: Git,
  {
    folder,
    present,
    steps,
  }: { readonly folder: string; readonly present: string; readonly steps: readonly RestoreStep[] },
): Promise<ResultTree | GitFailure | { readonly type: 'collision'; readonly reason: string }> {
  const place = await mkdtemp(join(tmpdir(), 'stopgate-restore-'));
  const remove = () => rm(place, { recursive: true, force: true, maxRetries: 3 });
  const indexFile = join(place, 'index');
  const built = await build(git, { folder, present, steps, indexFile });
  if (typeof built !== 'string') {
    await remove();
    return built;
  }
  return { type: 'result', tree: built, indexFile, [Symbol.asyncDispose]: remove };
}

interface Building {
  readonly folder: string;
  readonly present: string;
  readonly steps: readonly RestoreStep[];
  readonly indexFile: string;
}

async function build(git: Git, { folder, present, steps, indexFile }: Building) {
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
  return {
    type: 'collision',
    reason: `${shownPath(other)} would be removed, which the kept state never had.`,
  } as const;
}
