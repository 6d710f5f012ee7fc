import { plainName, SNAPSHOTS } from '../../git/snapshotRef.ts';
import { attemptLogFile } from '../attempt/attemptLog.ts';
import type { EndedTask } from './leftovers.ts';

const numbers = (epoch: number) => Array.from({ length: epoch }, (_, n) => n + 1);

/** Files and refs are named after the id with other characters replaced, so the name of an odd id may be that of another task. */
const isPlain = (id: string) => plainName(`${id}-1`) === `${id}-1`;

export interface RefName {
  readonly kind: 'branch' | 'ref';
  readonly taskId: string;
}

/** The refs that the attempts of tasks may have. */
export function refsOf(tasks: readonly EndedTask[]): ReadonlyMap<string, RefName> {
  const names = new Map<string, RefName>();
  for (const { id: taskId, epoch } of tasks) {
    if (!isPlain(taskId)) continue;
    for (const n of numbers(epoch)) {
      names.set(branchRef(taskId, n), { kind: 'branch', taskId });
      names.set(`${SNAPSHOTS}/${taskId}-${n}`, { kind: 'ref', taskId });
    }
  }
  return names;
}

export const branchRef = (id: string, epoch: number): string => `refs/heads/sg/${id}/${epoch}`;

export const logsOf = (stopgateHome: string, { id: taskId, epoch }: EndedTask): readonly string[] =>
  isPlain(taskId)
    ? numbers(epoch)
        .map((n) => attemptLogFile(stopgateHome, { taskId, epoch: n }))
        .flatMap((file) => [file, `${file}.1`])
    : [];
