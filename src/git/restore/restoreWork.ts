import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../system/readTextFile.ts';
import { OWN_IDENTITY, writeCommit } from '../commitObject.ts';
import { failureOf, type Git, outputOf } from '../git.ts';
import { keepSnapshot } from '../keepSnapshot.ts';
import { emptyFolders as emptyFoldersOf } from '../notListed.ts';
import { withRawGit } from '../rawGit.ts';
import { modeIn, recordModes } from '../recordedModes.ts';
import { snapshotRef } from '../snapshotRef.ts';
import type { WorkTree } from '../workTree.ts';
import { applyRestore, putBackMissing } from './applyRestore.ts';
import type { RestoreStep } from './decideRestore.ts';
import type { KeptState } from './keptStates.ts';
import type { PlannedRestore, RestoreRequest } from './planRestore.ts';

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
  const { plan, emptyFolders, disk } = planned;
  if (plan.steps.length + emptyFolders.length === 0) return { type: 'nothingToDo' };
  try {
    const undo = await keepPresent(git, { workTree, state, planned, undoId });
    if (undo.type === 'failed') return undo;
    const staging = await stagingFolder(workTree);
    await stageKept(git, { workTree, state, planned, staging, note: `${undoId}\n${note}` });
    const applied = await applyRestore({
      ...{ topLevel: workTree.topLevel, steps: plan.steps, emptyFolders, staging, disk, signal },
      permissions: permissionsBy(state),
    });
    if (applied.type === 'half') return { type: 'half', reason: applied.reason, undoId };
    await rm(staging, { recursive: true, force: true });
    return applied.type === 'applied' ? { type: 'restored', undoId } : { type: 'failed', reason: applied.reason };
  } catch (error) {
    return failureOf(error);
  }
}

const NAME = 'stopgate-restore';

/** Holds files before they are moved into place: on the same file system, hidden from git. */
async function stagingFolder({ gitDir, topLevel }: WorkTree): Promise<string> {
  const [inGit, ofFiles] = await Promise.all([stat(gitDir), stat(topLevel)]);
  return inGit.dev === ofFiles.dev ? join(gitDir, NAME) : join(topLevel, `.${NAME}`);
}

interface Staging extends Pick<RestoreRequest, 'workTree' | 'state'> {
  readonly planned: PlannedRestore;
  readonly staging: string;
  /** For `cutShort`. */
  readonly note: string;
}

/** Writes every file of the steps to the staging folder; the worktree does not change. */
async function stageKept(git: Git, { workTree, state, planned, staging, note }: Staging): Promise<void> {
  const paths = planned.plan.steps.filter(({ kept }) => kept !== undefined).map(({ path }) => path);
  const args = ['checkout-index', '--force', `--prefix=${join(staging, 'new')}/`, '--stdin'];
  const command = { folder: workTree.topLevel, args, indexFile: planned.result?.indexFile, input: paths };
  await rm(staging, { recursive: true, force: true });
  try {
    await mkdir(join(staging, 'new'), { recursive: true });
    await writeFile(join(staging, 'note'), note);
    if (paths.length === 0) return;
    // earlier versions kept what `git add` stores, so git checks it out
    if (state.record.bytes !== 'raw') await outputOf(git, command);
    else await withRawGit(git, workTree, (raw) => outputOf(raw, command));
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
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

type Keeping = Pick<RestoreRequest, 'workTree' | 'state'> & Pick<Carrying, 'planned' | 'undoId'>;

async function keepPresent(git: Git, { workTree, state, planned, undoId }: Keeping) {
  const { topLevel: folder, head } = workTree;
  const { permissions, indexTree, staged } = planned.present;
  const steps = planned.plan.steps;
  const before = steps.flatMap(({ path }) => pair(path, permissions.get(path)));
  const after = steps
    .filter(({ kept }) => kept !== undefined && kept.mode !== '120000')
    .flatMap((step) => pair(step.path, permissionsBy(state)(step, permissions.get(step.path))));
  const base = await writeCommit(git, {
    folder,
    tree: planned.result?.tree ?? planned.presentTree,
    parents: [head],
    message: `The files after ${state.id} was restored`,
    identity: OWN_IDENTITY,
  });
  return keepSnapshot(git, {
    workTree,
    ref: snapshotRef(undoId),
    message: `The files before ${state.id} was restored`,
    tree: planned.presentTree,
    indexTree,
    record: {
      base,
      branch: workTree.branch,
      bytes: 'raw',
      modes: recordModes(new Map(before)),
      baseModes: recordModes(new Map(after)),
      staged,
      from: `before restoring ${state.id}`,
      emptyFolders: await emptyFoldersOf(git, folder),
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
