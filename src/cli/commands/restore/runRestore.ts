import path from 'node:path';
import { treeOf } from '../../../git/commitObject.ts';
import type { Git } from '../../../git/git.ts';
import { mapInBatches } from '../../../git/onDisk.ts';
import { pathBytes } from '../../../git/quotedPath.ts';
import { keyOf } from '../../../git/restore/decideRestore.ts';
import { findKeptState, type KeptState, listKeptStates } from '../../../git/restore/keptStates.ts';
import { type PlannedRestore, planRestore } from '../../../git/restore/planRestore.ts';
import { cutShort, repairCutShort, restoreWork } from '../../../git/restore/restoreWork.ts';
import { diffTrees } from '../../../git/treeDiff.ts';
import { findWorkTree, type WorkTree } from '../../../git/workTree.ts';
import { worldGit } from '../../../stop/worldGit.ts';
import { wallNow } from '../../../system/clock.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import { listenForInterrupts } from '../../../system/interrupts.ts';
import { takeLock } from '../../../system/pidLock.ts';
import { shellWord } from '../../../system/shellWords.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { type Paint, paintFor } from '../../output/colors.ts';
import type { Page } from '../../output/page.ts';
import { type Column, columnsText } from '../../output/table.ts';
import { visibleText } from '../../output/visibleText.ts';
import type { Flags } from '../task/taskOptions.ts';
import { diffPlanned, isBad, type RestoreReport, reportText, restoreReport } from './restoreReport.ts';

type RestoreOptions = Flags<never, 'json' | 'dryRun' | 'diff' | 'force'>;

interface Restoring {
  readonly world: World;
  readonly writer: Writer;
  readonly paint: Paint;
  readonly git: Git;
  readonly workTree: WorkTree;
  readonly options: RestoreOptions;
  /** Files or folders, relative to the current folder; all if empty. */
  readonly words: readonly string[];
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** `stopgate restore`: lists the kept states, or restores one. */
export async function runRestore(id: string | undefined, words: readonly string[], options: RestoreOptions) {
  const world = thisWorld();
  const writer = processWriter(() => process.exit(0));
  using interrupts = listenForInterrupts(
    // a second Ctrl-C changes nothing: moved files are being put back
    () => {},
    (text) => writer.err(`stopgate: ${text}\n`),
    { what: 'the restore and putting back what it moved' },
  );
  const git = worldGit(world);
  const workTree = await findWorkTree(git, world.cwd);
  if (workTree.type !== 'workTree') throw new UserError(`Nothing can be restored here: ${workTree.reason}`);
  const listed = await listKeptStates(git, workTree.topLevel);
  if (listed.type === 'failed') throw new UserError(listed.reason, 1);
  const { signal } = interrupts;
  const paint = paintFor(writer.outIsTerminal, world.env);
  const restoring = { world, writer, paint, git, workTree, options, words, signal };
  const code = id === undefined ? await list(listed.states, restoring) : await restoreOne(id, listed.states, restoring);
  await world.processes.endAll();
  await drained();
  return interrupts.exitCode() ?? code;
}

async function list(states: readonly KeptState[], restoring: Restoring): Promise<number> {
  const { world, writer, paint, git, workTree, options } = restoring;
  const described = await mapInBatches(states, (state) => describe(git, workTree.topLevel, state), IN_PARALLEL);
  if (options.json) {
    writer.out(`${JSON.stringify(described)}\n`);
    return 0;
  }
  const left = await cutShort(workTree);
  if (left !== undefined)
    writer.err(
      `stopgate: A restore did not finish. To complete it: ${left.again}. To undo it: stopgate restore ${left.undoId}.\n`,
    );
  if (described.length === 0) {
    writer.out(
      `Nothing is kept in ${workTree.topLevel}: stopgate launch and workers keep what an agent does not commit.\n`,
    );
    return 0;
  }
  const width = writer.outIsTerminal ? writer.columns : Number.POSITIVE_INFINITY;
  writer.out(statesText({ paint, width }, described, wallNow(world.clock)));
  if (writer.outIsTerminal)
    writer.out('\nstopgate restore ID --dry-run shows what would change; stopgate restore ID restores it.\n');
  return 0;
}

async function restoreOne(id: string, states: readonly KeptState[], restoring: Restoring): Promise<number> {
  const { world, git, workTree } = restoring;
  const found = await findKeptState(git, workTree.topLevel, { states, wanted: id });
  if (found.type !== 'found') throw new UserError(found.reason);
  const file = path.join(workTree.gitDir, 'stopgate-restore.lock');
  const lock = await takeLock({ file, clock: world.clock, ids: world.ids });
  if (lock.type === 'taken') throw new UserError('Another restore is running in this worktree; wait until it ends.', 1);
  try {
    await repairCutShort(workTree);
    const report = await restoreState(found.state, restoring);
    return report.refused.length > 0 || isBad(report) ? 1 : 0;
  } finally {
    await lock.lock.release();
  }
}

async function restoreState(state: KeptState, restoring: Restoring): Promise<RestoreReport> {
  const { world, writer, paint, git, workTree, options, words, signal } = restoring;
  const folder = workTree.topLevel;
  const wanted = wantedPaths(words, world.cwd, folder);
  const mayOverwrite = (path: string) => options.force === true || wanted.isNamed(path);
  const request = { workTree, state, isWanted: wanted.isWanted, mayOverwrite };
  const plan = await planRestore(git, request);
  if (plan.type === 'failed') throw new UserError(plan.reason, 1);
  await using planned = plan;
  const { steps, refused, already, submodules } = planned.plan;
  // a path that matches nothing is a mistake
  if (words.length > 0 && steps.length + refused.length + already.length + submodules.length === 0) {
    const list = `stopgate restore ${state.id} --dry-run lists its files`;
    throw new UserError(`${state.id} did not change ${words.join(', ')}; ${list}.`);
  }
  if (options.diff && !options.json) await printDiff(restoring, planned);
  const undoId = `before-restore-${world.ids.uuid().slice(0, 8)}`;
  const end = options.dryRun
    ? ({ type: 'dryRun' } as const)
    : await restoreWork(git, request, { planned, undoId, signal, note: againCommand(state.id, restoring) });
  const report = await restoreReport(git, { folder, state, planned, end });
  writer.out(options.json ? `${JSON.stringify(report)}\n` : reportText(report, paint));
  return report;
}

/** The command that completes an unfinished restore. */
function againCommand(id: string, { options, words }: Restoring): string {
  const paths = words.length === 0 ? [] : ['--', ...words.map(shellWord)];
  return ['stopgate restore', id, ...(options.force ? ['--force'] : []), ...paths].join(' ');
}

/** Prints the changes from the current files to the restored ones. */
async function printDiff({ git, workTree, paint, writer }: Restoring, planned: PlannedRestore): Promise<void> {
  await diffPlanned(git, workTree.topLevel, planned, ['-p', '--no-color'], (line) => {
    // in a pipe exactly as git prints it: a patch is for programs
    if (!writer.outIsTerminal) return writer.raw.out(`${line}\n`);
    const shown = visibleText(line);
    const color = /^\+/.test(shown) ? 'green' : /^-/.test(shown) ? 'red' : undefined;
    writer.out(`${color ? paint(color, shown) : shown}\n`);
  });
}

/** The paths after `--`: files or folders, relative to the current folder. Without any, everything is wanted. */
function wantedPaths(words: readonly string[], cwd: string, topLevel: string) {
  const keys = words.map((word) => keyOfWord(word, cwd, topLevel));
  const isBelow = (path: string, key: string) => key === '' || path === key || path.startsWith(`${key}/`);
  return {
    isWanted: (quoted: string) => keys.length === 0 || keys.some((key) => isBelow(keyOf(quoted), key)),
    /** Named itself, not by a folder above it. */
    isNamed: (quoted: string) => keys.includes(keyOf(quoted)),
  };
}

function keyOfWord(word: string, cwd: string, topLevel: string): string {
  // a quoted name, as we print names that are not valid text
  if (/^".*"$/s.test(word)) return pathBytes(word).toString('latin1');
  const relative = path.relative(topLevel, path.resolve(cwd, word));
  if (relative === '..' || relative.startsWith(`..${path.sep}`)) {
    throw new UserError(`${word} is outside the repository at ${topLevel}.`);
  }
  return Buffer.from(relative).toString('latin1');
}

type ListedState = Awaited<ReturnType<typeof describe>>;

/** Each runs git. */
const IN_PARALLEL = 8;

/** A row of the list; also the output of `--json`. */
async function describe(git: Git, folder: string, state: KeptState) {
  const { record } = state;
  const base = await treeOf(git, folder, record.base).catch(() => undefined);
  const diff = base === undefined ? undefined : await diffTrees(git, folder, [base, state.tree]).catch(() => undefined);
  return {
    id: state.id,
    keptAt: new Date(state.keptAt).toISOString(),
    // null when its base is no longer in the repository
    files: diff?.size ?? null,
    from: record.from ?? state.subject,
    stage: record.stage ?? null,
    branch: record.branch ?? null,
    base: record.base ?? null,
    // the number of earlier states: `ID~1` and so on
    earlier: record.earlier ?? 0,
    // the commit with staged versions that differ from their files
    staged: record.index ?? null,
    ref: state.ref,
    commit: state.commit,
  };
}

const columnsAt = (now: number): readonly Column<ListedState>[] => [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'KEPT', cell: ({ keptAt }) => ({ text: formatAgo(Date.parse(keptAt), now) }) },
  { title: 'FILES', cell: ({ files }) => ({ text: files === null ? '?' : `${files}` }) },
  { title: 'BRANCH', cell: ({ branch }) => ({ text: branch ?? '-' }) },
  { title: 'BASE', cell: ({ base }) => ({ text: base?.slice(0, 10) ?? '-', style: 'dim' }) },
  { title: 'FROM', cell: (state) => ({ text: fromText(state) }) },
];

const statesText = (layout: Pick<Page, 'paint' | 'width'>, states: readonly ListedState[], now: number) =>
  `${columnsText(layout, columnsAt(now), states)}\n`;

function fromText({ from, stage, earlier, staged, id }: ListedState): string {
  const more = [
    ...(stage === null ? [] : [stage]),
    ...(earlier === 0 ? [] : [`${earlier} earlier: ${id}~1${earlier === 1 ? '' : `…~${earlier}`}`]),
    ...(staged === null ? [] : ['with staged versions']),
  ];
  return [from, ...more].join(', ');
}
