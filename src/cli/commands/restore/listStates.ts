import { treeOf } from '../../../git/commitObject.ts';
import type { Git } from '../../../git/git.ts';
import type { KeptState } from '../../../git/restore/keptStates.ts';
import { diffTrees } from '../../../git/treeDiff.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import type { Page } from '../../output/page.ts';
import { type Column, columnsText } from '../../output/table.ts';

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

const columnsAt = (now: number): readonly Column<ListedState>[] => [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'KEPT', cell: ({ keptAt }) => ({ text: formatAgo(Date.parse(keptAt), now) }) },
  { title: 'FILES', cell: ({ files }) => ({ text: files === null ? '?' : `${files}` }) },
  { title: 'BRANCH', cell: ({ branch }) => ({ text: branch ?? '-' }) },
  { title: 'BASE', cell: ({ base }) => ({ text: base?.slice(0, 10) ?? '-', style: 'dim' }) },
  { title: 'FROM', cell: (state) => ({ text: fromText(state) }) },
];

export const statesText = (layout: Pick<Page, 'paint' | 'width'>, states: readonly ListedState[], now: number) =>
  `${columnsText(layout, columnsAt(now), states)}\n`;

function fromText({ from, stage, earlier, staged, id }: ListedState): string {
  const more = [
    ...(stage === null ? [] : [stage]),
    ...(earlier === 0 ? [] : [`${earlier} earlier: ${id}~1${earlier === 1 ? '' : `…~${earlier}`}`]),
    ...(staged === null ? [] : ['with staged versions']),
  ];
  return [from, ...more].join(', ');
}
