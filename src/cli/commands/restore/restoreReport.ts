import { treeOf } from '../../../git/commitObject.ts';
import type { Git } from '../../../git/git.ts';
import { shownPath } from '../../../git/quotedPath.ts';
import type { KeptState } from '../../../git/restore/keptStates.ts';
import type { PlannedRestore } from '../../../git/restore/planRestore.ts';
import type { RestoredWork } from '../../../git/restore/restoreWork.ts';
import { recoverCommand } from '../../../git/snapshotRef.ts';
import { stagedApart } from '../../../git/treeDiff.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { shellWord } from '../../../system/shellWords.ts';
import type { Paint } from '../../output/colors.ts';

export type RestoreReport = Awaited<ReturnType<typeof restoreReport>>;

interface ReportFacts {
  readonly folder: string;
  readonly state: KeptState;
  readonly planned: PlannedRestore;
  readonly end: RestoredWork | { readonly type: 'dryRun' };
}

/** What a restore did, or would do; also the output of `--json`. */
export async function restoreReport(git: Git, { folder, state, planned, end }: ReportFacts) {
  const { plan } = planned;
  const lines = await countLines(git, folder, planned);
  const undoId = 'undoId' in end ? end.undoId : null;
  return {
    type: 'restore_report',
    id: state.id,
    outcome: end.type,
    reason: 'reason' in end ? end.reason : null,
    files: plan.steps.map(({ path, kept, present }) => ({
      path: shownPath(path),
      action: actionOf(kept, present),
      // null for a binary file
      ...(lines.get(path) ?? { added: null, removed: null }),
      // the new mode, if it changes
      ...(kept && present && kept.mode !== present.mode && { mode: kept.mode }),
    })),
    already: plan.already.map(shownPath),
    refused: plan.refused.map(({ path, reason }) => ({ path: shownPath(path), reason })),
    submodules: plan.submodules.map(({ path, commit }) => ({ path: shownPath(path), commit: commit ?? null })),
    // nested repositories that keep their own work, each with the command for it
    inside: (state.record.inside ?? []).map((path) => ({ path, command: recoverCommand(state.ref, path) })),
    emptyFolders: planned.emptyFolders.map(shownPath),
    // staged versions that differed from their files, each with the command that prints it
    staged: await stagedVersions(git, folder, state),
    undo: undoId === null ? null : `stopgate restore ${undoId}`,
  };
}

const actionOf = (kept: unknown, present: unknown): keyof typeof SIGNS =>
  kept === undefined ? 'remove' : present === undefined ? 'add' : 'change';

/** Each line of git's diff from the current files to the restored ones. */
export async function diffPlanned(
  git: Git,
  folder: string,
  { presentTree, result }: PlannedRestore,
  format: readonly string[],
  onLine: (line: string) => void,
): Promise<void> {
  if (result === undefined) return;
  const args = ['diff-tree', '-r', ...format, '--no-renames', '--no-ext-diff', '--no-textconv'];
  await git.run({ folder, args: [...args, presentTree, result.tree], onLine });
}

async function countLines(git: Git, folder: string, planned: PlannedRestore) {
  const counted = new Map<string, Record<'added' | 'removed', number | null>>();
  await diffPlanned(git, folder, planned, ['--numstat'], (line) => {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/.exec(line) ?? [];
    if (path !== undefined) counted.set(path, { added: count(added), removed: count(removed) });
  });
  return counted;
}

const count = (text = '-') => (text === '-' ? null : Number(text));

async function stagedVersions(git: Git, folder: string, { record, tree }: KeptState) {
  if (record.index === undefined) return [];
  const trees = [record.base, record.index].map((commit) => treeOf(git, folder, commit).catch(() => undefined));
  const [base, index] = await Promise.all(trees);
  if (base === undefined || index === undefined) return [];
  // the trees of a state from an earlier version hold converted content, so they can be compared
  const paths =
    record.bytes === 'raw'
      ? (record.staged ?? [])
      : await stagedApart(git, folder, { headTree: base, indexTree: index, tree });
  return paths.map((path) => ({
    path: shownPath(path),
    command: `git show ${shellWord(`${record.index?.slice(0, 12)}:${shownPath(path)}`)}`,
  }));
}

const SIGNS = { add: 'A', change: 'M', remove: 'D' } as const;
const MAX_SHOWN = 200;

export function reportText(report: RestoreReport, paint: Paint): string {
  const { files, refused, already, submodules, staged } = report;
  const lines = [
    ...bounded(files.map((file) => `  ${SIGNS[file.action]}  ${file.path}${linesText(file, paint)}`)),
    ...bounded(refused.map(({ path, reason }) => paint('yellow', `  left alone  ${path}: ${reason}`))),
    ...submodules.map(({ path, commit }) => `  submodule   ${path}: ${submoduleText(path, commit)}`),
    ...report.inside.map(({ path, command }) => `  repository  ${path} keeps its own work: ${command}`),
    ...report.emptyFolders.map((path) => `  A  ${path}/ (an empty folder)`),
    ...staged.map(({ path, command }) => `  staged      ${path} had another staged version: ${command}`),
    `${headline(report, paint)}${already.length === 0 ? '' : ` ${filesText(already.length)} already up to date.`}`,
    ...(refused.length > 0 ? [advice(report)] : []),
    ...(report.undo === null ? [] : [`undo  ${report.undo}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function bounded(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_SHOWN) return lines;
  return [...lines.slice(0, MAX_SHOWN), `  … and ${lines.length - MAX_SHOWN} more`];
}

const MODES: Readonly<Record<string, string>> = {
  '100755': '  (executable)',
  '100644': '  (not executable)',
  '120000': '  (a link)',
};

function linesText({ added, removed, mode }: RestoreReport['files'][number], paint: Paint): string {
  const became = ownValue(MODES, mode) ?? '';
  if (added === null || removed === null) return `  (binary)${became}`;
  const parts = [added > 0 ? paint('green', `+${added}`) : '', removed > 0 ? paint('red', `-${removed}`) : ''];
  const text = parts.filter(Boolean).join(' ');
  return `${text && `  ${text}`}${became}`;
}

const filesText = (n: number) => (n === 1 ? '1 file is' : `${n} files are`);

function submoduleText(path: string, commit: string | null): string {
  return commit === null
    ? 'it was removed or replaced; not touched'
    : `it was at ${commit.slice(0, 10)}; not touched: git -C ${path} checkout ${commit.slice(0, 10)}`;
}

const HEADLINES: { readonly [Outcome in RestoreReport['outcome']]: (report: RestoreReport) => string } = {
  restored: ({ id, files, emptyFolders }) =>
    files.length === 0 && emptyFolders.length > 0
      ? `Restored empty folders of ${id}.`
      : `Restored ${number(files.length)} of ${id}.`,
  dryRun: ({ id, files }) => `Would restore ${number(files.length)} of ${id}; nothing was changed.`,
  nothingToDo: ({ id, refused }) =>
    refused.length > 0 ? `Restored nothing of ${id}.` : `Nothing to restore: the files are already as in ${id}.`,
  failed: ({ reason }) => `Nothing was changed: ${sentence(reason)}`,
  half: ({ id, reason }) =>
    `ONLY A PART WAS RESTORED: ${sentence(reason)} Fix that and run stopgate restore ${id} again, or undo it.`,
};

const sentence = (reason: string | null) => `${(reason ?? 'unknown').replace(/\.$/, '')}.`;

const number = (n: number) => (n === 1 ? '1 file' : `${n} files`);

export const isBad = ({ outcome }: RestoreReport) => outcome === 'failed' || outcome === 'half';

const headline = (report: RestoreReport, paint: Paint) =>
  paint(isBad(report) ? 'red' : 'bold', HEADLINES[report.outcome](report));

function advice({ id, refused }: RestoreReport): string {
  const verb = refused.length === 1 ? 'was' : 'were';
  const canForce = refused.some(({ reason }) => reason === 'it changed since');
  const how = canForce
    ? `; stopgate restore ${id} --force overwrites changed files, and keeps their current content`
    : '';
  return `${number(refused.length)} ${verb} left alone${how}.`;
}
