import path from 'node:path';
import type { Git } from '../../../git/git.ts';
import { pathBytes } from '../../../git/quotedPath.ts';
import { keyOf, type RestorePlan } from '../../../git/restore/decideRestore.ts';
import { findKeptState, type KeptState, listKeptStates } from '../../../git/restore/keptStates.ts';
import { type PlannedRestore, planRestore } from '../../../git/restore/planRestore.ts';
import { cutShort, repairCutShort, restoreWork } from '../../../git/restore/restoreWork.ts';
import { findWorkTree, type WorkTree } from '../../../git/workTree.ts';
import { worldGit } from '../../../stop/worldGit.ts';
import { wallNow } from '../../../system/clock.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { takeLock } from '../../../system/pidLock.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { visibleText } from '../../output/visibleText.ts';
import { describeStates, statesText } from './listStates.ts';
import { type RestoreReport, reportText, restoreReport } from './restoreReport.ts';

export interface RestoreOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly force?: boolean;
}

interface Restoring {
  readonly world: World;
  readonly writer: Writer;
  readonly git: Git;
  readonly workTree: WorkTree;
  readonly states: readonly KeptState[];
  readonly options: RestoreOptions;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** `stopgate restore`: lists the kept states, or restores one. */
export async function runRestore(
  id: string | undefined,
  words: readonly string[],
  options: RestoreOptions,
): Promise<number> {
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
  const restoring = { world, writer, git, workTree, states: listed.states, options, signal };
  const code = id === undefined ? await list(restoring) : await restoreOne(restoring, { id, words });
  await world.processes.endAll();
  await drained();
  const received = interrupts.received();
  return received ? (SIGNAL_EXIT[received] ?? 1) : code;
}

async function list({ world, writer, git, workTree, states, options }: Restoring): Promise<number> {
  const described = await describeStates(git, workTree.topLevel, states);
  if (options.json) {
    writer.out(`${JSON.stringify(described)}\n`);
    return 0;
  }
  await warnOfUnfinished(workTree, writer);
  if (described.length === 0) {
    writer.out(
      `Nothing is kept in ${workTree.topLevel}: stopgate launch and workers keep what an agent does not commit.\n`,
    );
    return 0;
  }
  const width = writer.outIsTerminal ? writer.columns : Number.POSITIVE_INFINITY;
  writer.out(statesText({ paint: paintFor(writer.outIsTerminal, world.env), width }, described, wallNow(world.clock)));
  if (writer.outIsTerminal)
    writer.out('\nstopgate restore ID --dry-run shows what would change; stopgate restore ID restores it.\n');
  return 0;
}

async function warnOfUnfinished(workTree: WorkTree, writer: Writer): Promise<void> {
  const left = await cutShort(workTree);
  if (left === undefined) return;
  const { again, undoId } = left;
  writer.err(`stopgate: A restore did not finish. To complete it: ${again}. To undo it: stopgate restore ${undoId}.\n`);
}

async function restoreOne(
  restoring: Restoring,
  { id, words }: { readonly id: string; readonly words: readonly string[] },
): Promise<number> {
  const { world, git, workTree, states } = restoring;
  const folder = workTree.topLevel;
  const found = await findKeptState(git, folder, { states, wanted: id });
  if (found.type !== 'found') throw new UserError(found.reason);
  const lock = await takeLock({
    file: path.join(workTree.gitDir, 'stopgate-restore.lock'),
    clock: world.clock,
    ids: world.ids,
  });
  if (lock.type === 'taken') throw new UserError('Another restore is running in this worktree; wait until it ends.', 1);
  try {
    await repairCutShort(workTree);
    const report = await restoreState(restoring, { state: found.state, words });
    return exitCodeOf(report);
  } finally {
    await lock.lock.release();
  }
}

async function restoreState(
  restoring: Restoring,
  { state, words }: { readonly state: KeptState; readonly words: readonly string[] },
): Promise<RestoreReport> {
  const { world, writer, git, workTree, options, signal } = restoring;
  const folder = workTree.topLevel;
  const wanted = wantedPaths(words, world.cwd, folder);
  const mayOverwrite = (path: string) => options.force === true || wanted.isNamed(path);
  const request = { workTree, state, isWanted: wanted.isWanted, mayOverwrite };
  const plan = await planRestore(git, request);
  if (plan.type === 'failed') throw new UserError(plan.reason, 1);
  await using planned = plan;
  refuseUnknownPaths(words, { planned: plan.plan, id: state.id });
  if (options.diff && !options.json) await printDiff(restoring, planned);
  const note = againCommand(state.id, { force: options.force === true, words });
  const undoId = `before-restore-${world.ids.uuid().slice(0, 8)}`;
  const end = options.dryRun
    ? ({ type: 'dryRun' } as const)
    : await restoreWork(git, request, { planned, undoId, signal, note });
  const report = await restoreReport(git, { folder, state, planned, end });
  writer.out(
    options.json ? `${JSON.stringify(report)}\n` : reportText(report, paintFor(writer.outIsTerminal, world.env)),
  );
  return report;
}

/** The command that completes an unfinished restore. */
function againCommand(
  id: string,
  { force, words }: { readonly force: boolean; readonly words: readonly string[] },
): string {
  const paths = words.length === 0 ? [] : ['--', ...words.map((word) => `'${word.replaceAll("'", "'\\''")}'`)];
  return ['stopgate restore', id, ...(force ? ['--force'] : []), ...paths].join(' ');
}

/** A path that matches nothing is a mistake. */
function refuseUnknownPaths(
  words: readonly string[],
  { planned, id }: { readonly planned: RestorePlan; readonly id: string },
): void {
  const { steps, refused, already, submodules } = planned;
  if (words.length === 0 || steps.length + refused.length + already.length + submodules.length > 0) return;
  throw new UserError(`${id} did not change ${words.join(', ')}; stopgate restore ${id} --dry-run lists its files.`);
}

const BAD: readonly RestoreReport['outcome'][] = ['failed', 'half'];

const exitCodeOf = ({ outcome, refused }: RestoreReport) => (refused.length > 0 || BAD.includes(outcome) ? 1 : 0);

/** Prints the changes from the current files to the restored ones. */
async function printDiff(
  { git, workTree, world, writer }: Restoring,
  { presentTree, result }: PlannedRestore,
): Promise<void> {
  if (result === undefined) return;
  const paint = paintFor(writer.outIsTerminal, world.env);
  const onLine = (line: string) => {
    // in a pipe exactly as git prints it: a patch is for programs
    if (!writer.outIsTerminal) return writer.raw.out(`${line}\n`);
    const shown = visibleText(line);
    const color = /^\+/.test(shown) ? 'green' : /^-/.test(shown) ? 'red' : undefined;
    writer.out(`${color ? paint(color, shown) : shown}\n`);
  };
  const args = ['diff-tree', '-r', '-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  await git.run({ folder: workTree.topLevel, args: [...args, presentTree, result.tree], onLine });
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
