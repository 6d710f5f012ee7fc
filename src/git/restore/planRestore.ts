import { join } from 'node:path';
import { type BuiltTree, buildTree } from '../buildTree.ts';
import { DEFAULT_LIMITS } from '../chooseFiles.ts';
import { headTree, treeOf } from '../commitObject.ts';
import { failureOf, type Git, outputOf, readLines } from '../git.ts';
import { withoutIgnored } from '../notListed.ts';
import { writeTree } from '../privateIndex.ts';
import { shownPath } from '../quotedPath.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { diffTrees, type TreeDiff } from '../treeDiff.ts';
import type { WorkTree } from '../workTree.ts';
import { decideRestore, keyOf, type RestorePlan, type RestoreStep } from './decideRestore.ts';
import { type Disk, readDisk } from './diskFacts.ts';
import type { KeptState } from './keptStates.ts';

export interface RestoreRequest {
  readonly workTree: WorkTree;
  readonly state: KeptState;
  readonly isWanted: (path: string) => boolean;
  readonly mayOverwrite: (path: string) => boolean;
}

/** What a restore would do, with the trees for showing it. */
export interface PlannedRestore extends AsyncDisposable {
  readonly type: 'planned';
  readonly plan: RestorePlan;
  readonly emptyFolders: readonly string[];
  readonly presentTree: string;
  /** Undefined when there is nothing to do. */
  readonly result: ResultTree | undefined;
  readonly present: PresentState;
  readonly disk: Disk;
}

interface PresentState {
  /** Set when only the index has a staged version. */
  readonly indexTree: string | undefined;
  readonly staged: readonly string[];
  readonly permissions: ReadonlyMap<string, number>;
}

type Failure = ReturnType<typeof failureOf>;

/** Writes only objects that nothing points to: neither files nor index nor refs change. */
export const planRestore = (git: Git, request: RestoreRequest): Promise<PlannedRestore | Failure> =>
  planNow(git, request).catch(failureOf);

async function planNow(git: Git, request: RestoreRequest): Promise<PlannedRestore> {
  const { workTree, state } = request;
  const folder = workTree.topLevel;
  const base = await treeOf(git, folder, state.record.base);
  if (base === undefined)
    throw new Error(`${state.id} is based on ${state.record.base}, which the repository no longer has`);
  const changed = await diffTrees(git, folder, [base, state.tree]);
  const folders = (state.record.emptyFolders ?? []).filter(request.isWanted);
  const paths = [...changed.keys()];
  const replaceable = await replaceablePaths(git, folder, changed);
  // before the files are read, so that later writes are detected
  const disk = await readDisk(folder, [...paths, ...folders]);
  // every file that may be replaced is recorded byte for byte, even if git ignores it or considers it unchanged
  const bounds = { limits: DEFAULT_LIMITS, filters: 'run', bytes: 'raw' } as const;
  const built = await buildTree(git, { workTree, ...bounds, paths: replaceable });
  const tree = built.tree ?? (await headTree(git, workTree));
  const plan = decideRestore({
    ...(await compare(git, request, { base, tree, changed })),
    ...request,
    changed,
    notKept: notKept(built, paths),
    disk: disk.fact,
  });
  const { steps } = plan;
  const result = steps.length === 0 ? undefined : await resultTree(git, folder, { present: tree, steps });
  const { permissions, stagedApart: staged } = built;
  return {
    type: 'planned',
    plan,
    emptyFolders: folders.filter((path) => disk.fact(path).type === 'nothing'),
    presentTree: tree,
    result,
    present: { indexTree: staged.length > 0 ? built.indexTree : undefined, staged, permissions },
    disk,
    [Symbol.asyncDispose]: async () => await result?.[Symbol.asyncDispose](),
  };
}

/** Excludes files that git ignores and the base did not have: these are the user's and never changed. */
async function replaceablePaths(git: Git, folder: string, changed: TreeDiff): Promise<readonly string[]> {
  const added = [...changed].filter(([, { before }]) => before === undefined).map(([path]) => path);
  const visible = new Set(await withoutIgnored(git, folder, { paths: added, are: 'files' }));
  return [...changed].filter(([path, { before }]) => before !== undefined || visible.has(path)).map(([path]) => path);
}

function notKept({ leftOut }: BuiltTree, paths: readonly string[]): ReadonlySet<string> {
  const names = new Set(leftOut.map(({ path }) => path));
  return new Set(paths.filter((path) => names.has(shownPath(path))).map(keyOf));
}

/** Compares the present files with the base and with the kept state: by their bytes, and as git would store them. */
async function compare(
  git: Git,
  { workTree, state }: RestoreRequest,
  { base, tree, changed }: { readonly base: string; readonly tree: string; readonly changed: TreeDiff },
) {
  const folder = workTree.topLevel;
  const [toBase, toKept] = await Promise.all([
    diffTrees(git, folder, [tree, base]),
    diffTrees(git, folder, [tree, state.tree]),
  ]);
  const files = [...changed.keys()].filter((path) => isFile(toBase.get(path)?.before?.mode));
  const ids = await cleanIds(git, folder, files);
  const isRaw = state.record.bytes === 'raw';
  const isLike = (diff: TreeDiff, path: string) => {
    const { before, after } = diff.get(path) ?? {};
    return before !== undefined && before.mode === after?.mode && ids.get(path) === after?.object;
  };
  return {
    toBase,
    toKept,
    asBase: new Set(files.filter((path) => isLike(toBase, path))),
    // a state of an earlier version holds what `git add` stores
    asKept: new Set(isRaw ? [] : files.filter((path) => isLike(toKept, path))),
  };
}

/** The object that `git add` would store for each file, by quoted path. Empty when git fails, so that only bytes count. */
async function cleanIds(git: Git, folder: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const command = { folder, args: ['hash-object', '--stdin-paths'], input: paths };
  const ids = await readLines(git, command, (line) => line).catch(() => []);
  if (ids.length !== paths.length) return new Map();
  return new Map(paths.map((path, index) => [path, ids[index] ?? '']));
}

const isFile = (mode: string | undefined) => mode === '100644' || mode === '100755';

/** A private index with the files as they will be. */
interface ResultTree extends AsyncDisposable {
  readonly tree: string;
  readonly indexFile: string;
}

/** The present tree with the steps applied; rejects when that would change any other path. */
async function resultTree(
  git: Git,
  folder: string,
  { present, steps }: { readonly present: string; readonly steps: readonly RestoreStep[] },
): Promise<ResultTree> {
  await using made = new AsyncDisposableStack();
  const index = { folder, indexFile: join(made.use(await temporaryFolder('restore')).path, 'index'), settings: {} };
  await outputOf(git, { ...index, args: ['read-tree', present] });
  const removals = steps
    .filter(({ kept }) => kept === undefined)
    .map(({ path }) => `0 ${'0'.repeat(present.length)}\t${path}`);
  const writes = steps.flatMap(({ kept, path }) => (kept ? [`${kept.mode} ${kept.object}\t${path}`] : []));
  const args = ['update-index', '--add', '--replace', '--index-info'];
  await outputOf(git, { ...index, args, input: [...removals, ...writes] });
  const tree = await writeTree(git, index);
  const known = new Set(steps.map(({ path }) => path));
  const changed = await diffTrees(git, folder, [present, tree]);
  const other = [...changed.keys()].find((path) => !known.has(path));
  if (other !== undefined) throw new Error(`${shownPath(other)} would be removed, which the kept state never had`);
  const kept = made.move();
  return { tree, indexFile: index.indexFile, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
