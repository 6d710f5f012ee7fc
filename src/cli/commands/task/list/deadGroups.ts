import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import type { Task } from '../../../wiring/store/openedStore.ts';

/** Dead tasks that ended for the same reason. */
export interface DeadGroup {
  /** The sentence of the newest one. */
  readonly reason: string;
  readonly count: number;
  /** The newest first. */
  readonly ids: readonly string[];
}

type DeadTask = Pick<Task, 'id' | 'lastError'>;

/** The largest group first. What is different from task to task does not count, nor does what follows the first line. */
export function deadGroups(tasks: readonly DeadTask[]): readonly DeadGroup[] {
  return [...Map.groupBy(tasks, kindOf).values()]
    .map((of) => ({ reason: reasonOf(of[0]), count: of.length, ids: of.map(({ id }) => id) }))
    .toSorted((one, other) => other.count - one.count);
}

const LONGEST = 200;

function reasonOf(task: DeadTask | undefined): string {
  const [line = ''] = (task?.lastError ?? '').trim().split('\n', 1);
  if (line === '') return 'no reason is known';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** A commit, and any number: of durations (`850ms`, `1m03s`) with their units. */
const COMMIT = /\b(?=[a-f]*\d)[0-9a-f]{7,40}\b/g;
const NUMBERS = /(?:\d+(?:[.,]\d+)*(?:(?:ms|[smhd])(?![a-z]))?)+/g;

const kindOf = (task: DeadTask): string =>
  reasonOf(task)
    .replaceAll(task.id, 'ID')
    .replaceAll(task.id.slice(0, SHORT_ID), 'ID')
    .replaceAll(COMMIT, 'N')
    .replaceAll(NUMBERS, 'N');

const SHORT_ID = 8;

const SHOWN_IDS = 5;

/** The page of `stopgate task list --dead`. */
export function deadText(groups: readonly DeadGroup[], page: Pick<Page, 'block'>): string {
  if (groups.length === 0) return 'No task is dead.\n';
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const lines = groups.flatMap(({ reason, count, ids }) => [
    `${String(count).padStart(5)}${page.block(visibleText(reason), INDENT).slice(5)}`,
    page.block(`${ids.slice(0, SHOWN_IDS).join(', ')}${ids.length > SHOWN_IDS ? ', …' : ''}`, INDENT),
  ]);
  const last = `${total} dead task${total === 1 ? '' : 's'}; \`stopgate task show ID\` has more, \`stopgate task retry --all --state dead\` requeues them.`;
  return `${[...lines, '', page.block(last, 0)].join('\n')}\n`;
}

const INDENT = 7;
