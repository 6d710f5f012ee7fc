import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../system/readTextFile.ts';
import { OWN_IDENTITY, writeCommit } from '../commitObject.ts';
import { emptyFolders } from '../emptyFolders.ts';
import type { Git } from '../git.ts';
import { keepSnapshot } from '../keepSnapshot.ts';
import { modeIn, recordModes } from '../recordedModes.ts';
import { snapshotRef } from '../snapshotRef.ts';
import type { WorkTree } from '../workTree.ts';
import { applyRestore, putBackMissing } from './applyRestore.ts';
import type { RestoreStep } from './decideRestore.ts';
import type { KeptState } from './keptStates.ts';
import type { PlannedRestore, RestoreRequest } from './planRestore.ts';
import { stageKept, stagingFolder } from './stageKept.ts';

export type RestoredWork =
  | { readonly type: 'restored'; readonly undoId: string }
  | { readonly type: 'nothingToDo' }
  /** Nothing changed. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Some files changed; `undoId` restores them. */
  | { readonly type: 'half'; readonly reason: string; readonly undoId: string };

export interface Carrying {
  readonly planned: PlannedRestore;
  readonly undoId: string;
  readonly signal?: AbortSignal;
  /** The command that repeats this restore, recorded in case it is killed. */
  readonly note?: string;
}

/**
 * Carries out a plan. First the present state gets a ref of its own, with the result of this restore as its base, so that
 * restoring it undoes this; then every file is written to a staging folder; then all are moved into place.
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
    // earlier versions kept what `git add` stores
    const isRaw = state.record.bytes === 'raw';
    const reason = await stageKept(git, {
      ...{ workTree, folder: staging, indexFile: result?.indexFile, steps: plan.steps, isRaw },
      note: `${undoId}\n${note}`,
    });
    if (reason !== undefined) return await clean(staging, failed(reason));
    const applied = await applyRestore({
      topLevel: workTree.topLevel,
      steps: plan.steps,
      emptyFolders: planned.emptyFolders,
      staging,
      permissions: permissionsBy(state),
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

const permissionsBy =
  ({ record }: KeptState) =>
  ({ path, kept }: RestoreStep, present: number | undefined): number | undefined =>
    permissionsFor({
      kept: modeIn(record.modes, path),
      present,
      base: modeIn(record.baseModes, path),
      isExecutable: kept?.mode === '100755',
    });

interface PermissionFacts {
  /** As recorded; undefined in states of earlier versions. */
  readonly kept: number | undefined;
  /** Of the file that is replaced, if any. */
  readonly present: number | undefined;
  /** At the base of the kept state, where known. */
  readonly base: number | undefined;
  readonly isExecutable: boolean;
}

const USUAL = 0o644;
const READ_AND_WRITE = 0o066;

/**
 * The permissions of a restored file: the recorded ones, without access for others that was removed from the present
 * file since. Undefined: those of any new file.
 */
export function permissionsFor({ kept, present, base, isExecutable }: PermissionFacts): number | undefined {
  if (kept === undefined) return present === undefined ? undefined : likePresent(present, isExecutable);
  if (present === undefined) return kept;
  const isNarrowed = ((base ?? USUAL) & ~present & READ_AND_WRITE) !== 0;
  return isNarrowed ? kept & (present | 0o700) : kept;
}

/** Git records only whether a file is executable; read access stays as it is. */
function likePresent(present: number, isExecutable: boolean): number {
  const readable = present & 0o666;
  return isExecutable ? readable | ((readable & 0o444) >> 2) : readable;
}

interface Keeping {
  readonly workTree: WorkTree;
  readonly state: KeptState;
  readonly planned: PlannedRestore;
  readonly undoId: string;
}

async function keepPresent(git: Git, { workTree, state, planned, undoId }: Keeping) {
  const { topLevel: folder, head } = workTree;
  const { permissions, tree, indexTree, staged } = planned.present;
  const steps = planned.plan.steps;
  const before = steps.flatMap(({ path }) => pair(path, permissions.get(path)));
  const after = steps
    .filter(({ kept }) => kept !== undefined && kept.mode !== '120000')
    .flatMap((step) => pair(step.path, permissionsBy(state)(step, permissions.get(step.path))));
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
    tree,
    indexTree,
    record: {
      base: base.stdout.trim(),
      branch: workTree.branch,
      bytes: 'raw',
      modes: recordModes(new Map(before)),
      baseModes: recordModes(new Map(after)),
      staged,
      from: `before restoring ${state.id}`,
      emptyFolders: await emptyFolders(git, folder),
    },
  });
}

const pair = (path: string, mode: number | undefined): readonly (readonly [string, number])[] =>
  mode === undefined ? [] : [[path, mode]];

/** Called before a restore is completed or undone: puts back a file that is missing because the restore was killed. */
export async function repairCutShort(workTree: WorkTree): Promise<void> {
  await putBackMissing(workTree.topLevel, await stagingFolder(workTree));
}

const LONGEST_NOTE = 64 * 1024;

/** What a killed restore left behind: the command that completes it, and the id that undoes it. */
export async function cutShort(
  workTree: WorkTree,
): Promise<{ readonly again: string; readonly undoId: string } | undefined> {
  const note = await readTextFile(join(await stagingFolder(workTree), 'note'), LONGEST_NOTE);
  const [undoId, again] = note.type === 'read' ? note.text.split('\n') : [];
  return undoId && again ? { again, undoId } : undefined;
}

const failed = (reason: string) => ({ type: 'failed', reason }) as const;
