import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CleanCheckout, cleanCheckout } from '../../git/cleanCheckout.ts';
import { failureOf, type Git } from '../../git/git.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import type { TreeFacts } from '../../schemas/ledger.ts';
import type { ProcessRunner } from '../../system/processes.ts';
import type { Check, FailedCheck } from '../checks/types.ts';
import { listFiles } from '../frozen/freeze.ts';
import type { Frozen } from '../frozen/frozen.ts';
import { type FrozenPlace, frozenPlace } from '../frozen/frozenFiles.ts';
import { protectedFailure, UNCHANGED } from '../frozen/frozenGate.ts';
import { linkEntry } from '../frozen/linkEntry.ts';
import { protectedChanges, treeState } from '../frozen/protectedFiles.ts';
import { openScratch } from '../frozen/scratchTree.ts';
import { beginTreeFacts } from '../receipts/treeFacts.ts';

/** The work of an attempt. */
export interface Work {
  readonly frozen: Frozen;
  readonly checks: readonly Check[];
  readonly protect: readonly string[];
  /** Null without git: then its folder is copied as it is. */
  readonly commit: string | null;
  readonly baseCommit: string | null;
  /** A folder of a repository that has the commit. */
  readonly repository: string;
}

export interface PlaceWorld {
  readonly git: Git;
  readonly stopgateHome: string;
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
}

/** A place of its own in which the checks of some work run. */
export interface WorkPlace extends FrozenPlace, AsyncDisposable {
  readonly type: 'place';
  /** What was checked, for the receipt; null without a commit. */
  readonly tree: TreeFacts | null;
  /** Protected files that the attempt changed. */
  readonly broken: readonly FailedCheck[];
}

type NoPlace = { readonly type: 'failed'; readonly reason: string };

export async function openWorkPlace(work: Work, world: PlaceWorld): Promise<WorkPlace | NoPlace> {
  if (work.commit !== null) return openCommit(work, work.commit, world);
  try {
    const scratch = await openScratch(world.git, work.frozen, world.stopgateHome);
    return { type: 'place', tree: null, broken: [], ...scratch };
  } catch (error) {
    return { type: 'failed', reason: `${work.frozen.topLevel} could not be copied (${(error as Error).message}).` };
  }
}

async function openCommit(work: Work, commit: string, world: PlaceWorld): Promise<WorkPlace | NoPlace> {
  const { git, stopgateHome } = world;
  const parent = path.join(stopgateHome, 'verify');
  const checkout = await cleanCheckout(git, { folder: work.repository, commit, parent });
  if (checkout.type === 'failed') return checkout;
  try {
    return await preparedCommit(work, checkout, world);
  } catch (error) {
    await checkout[Symbol.asyncDispose]();
    return failureOf(error);
  }
}

async function preparedCommit(work: Work, checkout: CleanCheckout, world: PlaceWorld): Promise<WorkPlace> {
  const { path: root, commit } = checkout;
  const { git } = world;
  const tree = await treeFactsOf(work, { root, commit, tree: checkout.tree }, world);
  const broken = await brokenFiles(work, root, git);
  await linkDependencies(work, root, git);
  // the checkout has the package.json of the commit, of which only the scripts are put back
  const place = frozenPlace(work.frozen, root, (_file, target) => target);
  return { type: 'place', tree, broken, ...place, [Symbol.asyncDispose]: () => checkout[Symbol.asyncDispose]() };
}

interface Checked {
  readonly root: string;
  readonly commit: string;
  readonly tree: string;
}

/** A reader can compute it again: `git rev-parse COMMIT^{tree}`, and the diff since the base. */
async function treeFactsOf({ baseCommit }: Work, { root, commit, tree }: Checked, world: PlaceWorld) {
  const found = treeState(await treeDigest(world.git, { folder: root }));
  const take = beginTreeFacts({ ...world, folder: root, startCommit: baseCommit });
  const { facts } = await take({ files: tree, key: null, problem: null, isRough: false, head: commit, tree: found });
  return facts;
}

/** Those that were uncommitted at the start are left to the gate of the attempt itself, which knows their content. */
async function brokenFiles({ frozen, protect }: Work, root: string, git: Git): Promise<readonly FailedCheck[]> {
  const start = frozen.protectedStart;
  if (protect.length === 0 || start === null) return [];
  const folder = path.join(root, path.relative(frozen.topLevel, path.dirname(frozen.file)));
  const tree = treeState(await treeDigest(git, { folder: root }));
  const changed = typeof tree === 'string' ? tree : await protectedChanges(start, { protect, folder, tree, git });
  const uncommitted = new Set(start.files.map(([file]) => file));
  const protectedFiles =
    typeof changed === 'string' ? changed : changed.filter(({ path: one }) => !uncommitted.has(one));
  return protectedFailure({ ...UNCHANGED, protectedFiles }, folder);
}

/** Folders of what a project installs. What else git ignores is built, or was left behind by the attempt: it is not there. */
const DEPENDENCIES: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', '.yarn', '.venv', 'venv', '.bundle', 'vendor', 'Pods'],
  ...['deps', 'elm-stuff', '.gradle', '.m2', '.cargo'],
]);

/** Links them from where the work was done, or from the repository, and what the checks name as their `inputs`. */
async function linkDependencies({ frozen, checks, repository }: Work, root: string, git: Git): Promise<void> {
  for (const folder of new Set([frozen.topLevel, repository])) {
    if (!existsSync(folder)) continue;
    const args = ['--others', '--ignored', '--exclude-standard', '--directory'];
    const ignored = await listFiles(git, folder, args).catch(() => []);
    const wanted = ignored.filter((name) => name.endsWith('/') && DEPENDENCIES.has(path.basename(name)));
    for (const name of [...wanted, ...inputsIn(frozen, checks)]) {
      const target = path.join(root, name);
      if (existsSync(path.join(folder, name)) && !existsSync(target)) await linkEntry(path.join(folder, name), target);
    }
  }
}

function inputsIn({ topLevel }: Frozen, checks: readonly Check[]): readonly string[] {
  const inside = checks.flatMap(({ inputs }) => inputs.map((input) => path.relative(topLevel, input)));
  return inside.filter((name) => name !== '' && !name.startsWith('..') && !path.isAbsolute(name));
}
