import type { PruneReport } from './runPrune.ts';

const NOUNS = {
  log: ['log', 'logs'],
  worktree: ['worktree', 'worktrees'],
  branch: ['branch', 'branches'],
  ref: ['ref of kept work', 'refs of kept work'],
  settlement: ['refused settlement', 'refused settlements'],
} as const;

const counted = (count: number, [one, many]: readonly [string, string]) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** `3 tasks, 4 attempts, 20 events, 1 branch`. */
export function describePrune({ tasks, attempts, events, files }: PruneReport): string {
  const kinds = Object.entries(NOUNS).flatMap(([kind, noun]) => {
    const count = files.remove.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [counted(count, noun)];
  });
  return [
    counted(tasks.length, ['task', 'tasks']),
    counted(attempts, ['attempt', 'attempts']),
    counted(events, ['event', 'events']),
    ...kinds,
  ].join(', ');
}

/** What stays although its task is gone, and why. */
export const describeKept = ({ files }: PruneReport): readonly string[] =>
  files.keep.map(({ kind, name, why }) => `The ${NOUNS[kind][0]} ${name} stays: ${why}.`);
