import { treeOf } from '../../../git/commitObject.ts';
import type { Git } from '../../../git/git.ts';
import type { KeptState } from '../../../git/restore/keptStates.ts';
import { diffTrees } from '../../../git/treeDiff.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import { type Cell, type TableLayout, tableText } from '../../output/table.ts';

type ListedState = Awaited<ReturnType<typeof describe>>;

const IN_PARALLEL = 8;

export async function describeStates(
  git: Git,
  folder: string,
  states: readonly KeptState[],
): Promise<readonly ListedState[]> {
  const listed: ListedState[] = [];
  for (let start = 0; start < states.length; start += IN_PARALLEL) {
    const some = states.slice(start, start + IN_PARALLEL);
    listed.push(...(await Promise.all(some.map((state) => describe(git, folder, state)))));
  }
  return listed;
}

/** A row of the list; also the output of `--json`. */
async function describe(git: Git, folder: string, state: KeptState) {
  const { record } = state;
  const base = await treeOf(git, folder, record.base);
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

const TITLES = ['ID', 'KEPT', 'FILES', 'BRANCH', 'BASE', 'FROM'];

export function statesText(layout: Omit<TableLayout, 'titles'>, states: readonly ListedState[], now: number): string {
  const rows = states.map((state): Cell[] => [
    { text: state.id, style: 'bold' },
    { text: formatAgo(Date.parse(state.keptAt), now) },
    { text: state.files === null ? '?' : `${state.files}` },
    { text: state.branch ?? '-' },
    { text: state.base?.slice(0, 10) ?? '-', style: 'dim' },
    { text: fromText(state) },
  ]);
  return `${tableText({ ...layout, titles: TITLES }, rows)}\n`;
}

function fromText({ from, stage, earlier, staged, id }: ListedState): string {
  const more = [
    ...(stage === null ? [] : [stage]),
    ...(earlier === 0 ? [] : [`${earlier} earlier: ${id}~1${earlier === 1 ? '' : `…~${earlier}`}`]),
    ...(staged === null ? [] : ['with staged versions']),
  ];
  return [from, ...more].join(', ');
}
