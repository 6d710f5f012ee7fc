import type { Task } from '../../../wiring/store/openedStore.ts';

/** Dead tasks that ended for the same reason. */
export interface DeadGroup {
  readonly reason: string;
  readonly count: number;
  /** The newest first. */
  readonly ids: readonly string[];
}

const LONGEST = 120;

/** The largest group first. Numbers differ from task to task, and so does what follows the first line. */
export function deadGroups(tasks: readonly Pick<Task, 'id' | 'lastError'>[]): readonly DeadGroup[] {
  const groups = Map.groupBy(tasks, ({ lastError }) => reasonOf(lastError));
  return [...groups]
    .map(([reason, of]) => ({ reason, count: of.length, ids: of.map(({ id }) => id) }))
    .toSorted((one, other) => other.count - one.count);
}

function reasonOf(error: string | null): string {
  const [line = ''] = (error ?? '').trim().split('\n', 1);
  const plain = line.replaceAll(/\d+(?:[.,]\d+)*/g, 'N').slice(0, LONGEST);
  return plain === '' ? 'no reason is known' : plain;
}

const SHOWN_IDS = 5;

/** The page of `stopgate task list --dead`. */
export function deadText(groups: readonly DeadGroup[]): string {
  if (groups.length === 0) return 'No task is dead.\n';
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const lines = groups.flatMap(({ reason, count, ids }) => [
    `${String(count).padStart(5)}  ${reason}`,
    `       ${ids.slice(0, SHOWN_IDS).join(', ')}${ids.length > SHOWN_IDS ? ', …' : ''}`,
  ]);
  const last = `${total} dead task${total === 1 ? '' : 's'}; \`stopgate task show ID\` has more, \`stopgate task retry --all --state dead\` requeues them.`;
  return `${[...lines, '', last].join('\n')}\n`;
}
