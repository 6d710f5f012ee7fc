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
import { permissionsFor } from './permissions.ts';
import type { PlannedRestore, RestoreRequest } from './planRestore.ts';
import { stageKept, stagingFolder } from './stageKept.ts';

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
    const isRaw = isRawState(state);
    const aside = { workTree, folder: staging, indexFile: result?.indexFile, steps: plan.steps, isRaw, note: left };
    const reason = await stageKept(git, aside);
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

/** Earlier versions kept what `git add` stores. */
export const isRawState = ({ record }: KeptState): boolean => record.bytes === 'raw';

const permissionsBy =
  ({ record }: KeptState) =>
  ({ path, kept }: RestoreStep, present: number | undefined): number | undefined =>
    permissionsFor({
      kept: modeIn(record.modes, path),
      present,
      base: modeIn(record.baseModes, path),
      isExecutable: kept?.mode === '100755',
    });

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
