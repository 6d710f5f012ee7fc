import { bootId, sinceBootMs } from '../system/machineBoot.ts';
import { moveRef, OWN_IDENTITY, readRef, writeCommit } from './commitObject.ts';
import { failureOf, type Git } from './git.ts';
import { modeLines } from './recordedModes.ts';
import { readRecord, recordTrailers, type SnapshotRecord } from './snapshotRecord.ts';
import type { WorkTree } from './workTree.ts';

export interface SnapshotCommit {
  readonly workTree: WorkTree;
  readonly ref: string;
  /** Paragraphs; the record follows them. */
  readonly message: string;
  readonly tree: string;
  /** What is staged, when only the index has it. */
  readonly indexTree: string | undefined;
  readonly record: SnapshotRecord;
}

export type KeptSnapshot =
  | { readonly type: 'kept'; readonly commit: string; readonly index: string | undefined; readonly isNew: boolean }
  | { readonly type: 'failed'; readonly reason: string };

const MAX_RACES = 5;

/**
 * Writes a snapshot's commit and points its ref to it. Compare and swap: a snapshot that another process kept meanwhile
 * stays in the chain.
 *
 * Its parents are, if present, its base, the previous snapshot, and a commit of the index; the record names each.
 */
export const keepSnapshot = (git: Git, snapshot: SnapshotCommit): Promise<KeptSnapshot> =>
  keep(git, snapshot).catch(failureOf);

async function keep(git: Git, snapshot: SnapshotCommit): Promise<KeptSnapshot> {
  const { workTree, ref, tree, indexTree } = snapshot;
  const folder = workTree.topLevel;
  const { base } = snapshot.record;
  const own = { folder, identity: OWN_IDENTITY };
  const index = indexTree && (await writeCommit(git, { ...own, ...OF_INDEX, tree: indexTree, parents: [base] }));
  let reason = '';
  for (let race = 0; race < MAX_RACES; race++) {
    const before = await readRef(git, folder, ref);
    const previous = before && readRecord(before.message);
    if (before?.tree === tree && isSame(previous, { ...snapshot.record, index })) {
      return { type: 'kept', commit: before.commit, index, isNew: false };
    }
    const earlier = before === undefined ? 0 : (previous?.earlier ?? 0) + 1;
    const record = { ...snapshot.record, index, previous: before?.commit, earlier, boot: bootStamp() };
    const message = `${snapshot.message}\n\n${recordTrailers(record)}`;
    const commit = await writeCommit(git, { ...own, tree, parents: [base, before?.commit, index], message });
    const moved = await moveRef(git, { folder, ref, commit, from: before?.commit, why: 'snapshot' });
    if (moved.type === 'done') return { type: 'kept', commit, index, isNew: true };
    reason = moved.reason;
    if ((await readRef(git, folder, ref))?.commit === before?.commit) break;
  }
  return { type: 'failed', reason };
}

/** The date is fixed, so that the same staged versions produce the same commit. */
const OF_INDEX = { message: 'What was staged beside the files of a snapshot', date: '2000-01-01T00:00:00Z' };

/** Undefined where the system does not provide it. */
function bootStamp(): string | undefined {
  const id = bootId();
  return id === null ? undefined : `${id} ${Math.floor(sinceBootMs())}`;
}

const isSame = (before: SnapshotRecord | undefined, now: SnapshotRecord) =>
  before !== undefined &&
  before.base === now.base &&
  before.index === now.index &&
  before.bytes === now.bytes &&
  linesOf(before) === linesOf(now);

const linesOf = ({ modes }: SnapshotRecord) => (modes === undefined ? '' : modeLines(modes).toSorted().join('\n'));
