import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../readTextFile.ts';
import { buildTree } from '../buildTree.ts';
import { DEFAULT_LIMITS } from '../chooseFiles.ts';
import { headTree, OWN_IDENTITY, treeOf, writeCommit } from '../commitObject.ts';
import { emptyFolders } from '../emptyFolders.ts';
import type { Git } from '../git.ts';
import { stagedApart } from '../indexTree.ts';
import { keepSnapshot } from '../keepSnapshot.ts';
import { shownPath } from '../quotedPath.ts';
import { snapshotRef } from '../snapshotRef.ts';
import { diffTrees } from '../treeDiff.ts';
import type { WorkTree } from '../workTree.ts';
import { applyRestore, putBackMissing } from './applyRestore.ts';
import { decideRestore, keyOf, type RestorePlan } from './decideRestore.ts';
import { type Disk, readDisk } from './diskFacts.ts';
import type { KeptState } from './keptStates.ts';
import { type ResultTree, resultTree } from './resultTree.ts';
import { stageKept, stagingFolder } from './stageKept.ts';

export interface RestoreRequest {
  readonly workTree: WorkTree;
  readonly state: KeptState;
  readonly isWanted: (path: string) => boolean;
  readonly mayOverwrite: (path: string) => boolean;
}

/** What a restore would do, and the trees to show it by. */
export interface PlannedRestore extends AsyncDisposable {
  readonly type: 'planned';
  readonly plan: RestorePlan;
  readonly emptyFolders: readonly string[];
  readonly presentTree: string;
  /** What the files will be; none when there is nothing to do. */
  readonly result: ResultTree | undefined;
  readonly present: PresentState;
  readonly disk: Disk;
}

interface PresentState {
  readonly tree: string;
  /** When only the index has it. */
  readonly indexTree: string | undefined;
}

export type Failure = { readonly type: 'failed'; readonly reason: string };

/** Compares, and writes objects that nothing points to: neither files nor index nor refs change. */
export async function planRestore(git: Git, request: RestoreRequest): Promise<PlannedRestore | Failure> {
  const { workTree, state } = request;
  const folder = workTree.topLevel;
  const base = await treeOf(git, folder, state.record.base);
  if (base === undefined)
    return failed(`${state.id} is based on ${state.record.base}, which the repository no longer has.`);
  const changed = await diffTrees(git, folder, [base, state.tree]);
  if (changed.type === 'failed') return failed(changed.reason);
  const folders = (state.record.emptyFolders ?? []).filter(request.isWanted);
  // before the files are read: what is written to after this is not overwritten
  const disk = await readDisk(folder, [...changed.changes.keys(), ...folders]);
  const built = await buildTree(git, { workTree, limits: DEFAULT_LIMITS, filters: 'run' });
  if (built.type === 'failed') return failed(built.reason);
  const committed = await headTree(git, workTree);
  const tree = built.tree ?? committed;
  const [toBase, toKept] = await Promise.all([
    diffTrees(git, folder, [tree, base]),
    diffTrees(git, folder, [tree, state.tree]),
  ]);
  if (toBase.type === 'failed') return failed(toBase.reason);
  if (toKept.type === 'failed') return failed(toKept.reason);
  const leftOut = new Set(built.leftOut.map(({ path }) => path));
  const plan = decideRestore({
    changed: changed.changes,
    toBase: toBase.changes,
    toKept: toKept.changes,
    notKept: new Set([...changed.changes.keys()].filter((path) => leftOut.has(shownPath(path))).map(keyOf)),
    disk: disk.fact,
    isWanted: request.isWanted,
    mayOverwrite: request.mayOverwrite,
  });
  const result =
    plan.steps.length === 0 ? undefined : await resultTree(git, { folder, present: tree, steps: plan.steps });
  if (result !== undefined && result.type !== 'result') return failed(result.reason);
  const staged = await stagedApart(git, { folder, headTree: committed, indexTree: built.indexTree, tree });
  return {
    type: 'planned',
    plan,
    emptyFolders: folders.filter((path) => disk.fact(path).type === 'nothing'),
    presentTree: tree,
    result,
    present: { tree, indexTree: staged.length > 0 ? built.indexTree : undefined },
    disk,
    [Symbol.asyncDispose]: async () => await result?.[Symbol.asyncDispose](),
  };
}

export type RestoredWork =
  | { readonly type: 'restored'; readonly undoId: string }
  | { readonly type: 'nothingToDo' }
  /** Nothing changed. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Some of it changed; `undoId` brings back what was. */
  | { readonly type: 'half'; readonly reason: string; readonly undoId: string };

export interface Carrying {
  readonly planned: PlannedRestore;
  readonly undoId: string;
  readonly signal?: AbortSignal;
  /** The command that does the same again, for the reader of what a killed restore leaves behind. */
  readonly note?: string;
}

/**
 * Carries out a plan. First the present state gets a ref of its own whose base is what the files are about to become, so
 * that restoring that one undoes this; then every file is written aside; then all are moved into place.
 */
export async function restoreWork(
  git: Git,
  { workTree, state }: Pick<RestoreRequest, 'workTree' | 'state'>,
  { planned, undoId, signal, note = `stopgate restore ${state.id}` }: Carrying,
): Promise<RestoredWork> {
  const { plan, result } = planned;
  if (plan.steps.length + planned.emptyFolders.length === 0) return { type: 'nothingToDo' };
  const undo = await keepPresent(git, { workTree, state, planned, undoId });
  if (undo.type === 'failed') return undo;
  try {
    const staging = await stagingFolder(workTree);
    const left = `${undoId}\n${note}`;
    const aside = { workTree, folder: staging, indexFile: result?.indexFile, steps: plan.steps, note: left };
    const reason = await stageKept(git, aside);
    if (reason !== undefined) return await clean(staging, failed(reason));
    const applied = await applyRestore({
      topLevel: workTree.topLevel,
      steps: plan.steps,
      emptyFolders: planned.emptyFolders,
      staging,
      disk: planned.disk,
      signal,
    });
    if (applied.type === 'half') return { type: 'half', reason: applied.reason, undoId };
    return await clean(staging, applied.type === 'applied' ? { type: 'restored', undoId } : failed(applied.reason));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function clean<End>(staging: string, end: End): Promise<End> {
  await rm(staging, { recursive: true, force: true });
  return end;
}

interface Keeping {
  readonly workTree: WorkTree;
  readonly state: KeptState;
  readonly planned: PlannedRestore;
  readonly undoId: string;
}

async function keepPresent(git: Git, { workTree, state, planned, undoId }: Keeping) {
  const { topLevel: folder, head } = workTree;
  const base = await writeCommit(git, {
    folder,
    tree: planned.result?.tree ?? planned.presentTree,
    parents: head === undefined ? [] : [head],
    message: `The files after ${state.id} was restored`,
    identity: OWN_IDENTITY,
  });
  if (base.type === 'failed') return failed(base.reason);
  return keepSnapshot(git, {
    workTree,
    ref: snapshotRef(undoId),
    message: `The files before ${state.id} was restored`,
    ...planned.present,
    record: {
      base: base.stdout.trim(),
      branch: workTree.branch,
      from: `before restoring ${state.id}`,
      emptyFolders: await emptyFolders(git, folder),
    },
  });
}

/** Before a restore is completed or undone: no file is missing because the one before was killed between two moves. */
export async function repairCutShort(workTree: WorkTree): Promise<void> {
  await putBackMissing(workTree.topLevel, await stagingFolder(workTree));
}

const LONGEST_NOTE = 64 * 1024;

/** What a restore that was killed left behind: the command that completes it, and what undoes it. */
export async function cutShort(
  workTree: WorkTree,
): Promise<{ readonly again: string; readonly undoId: string } | undefined> {
  const note = await readTextFile(join(await stagingFolder(workTree), 'note'), LONGEST_NOTE);
  const [undoId, again] = note.type === 'read' ? note.text.split('\n') : [];
  return undoId && again ? { again, undoId } : undefined;
}

const failed = (reason: string) => ({ type: 'failed', reason }) as const;
