import type { Attempt, Task } from '../../../wiring/store/openedStore.ts';
import type { FleetStatus, StatusWorker } from '../status/gatherFleetStatus.ts';

/** What the view shows, as it was read from the store and this host. */
export interface WatchFacts {
  readonly status: FleetStatus;
  /** The first of each group; `status.tasks` counts all. */
  readonly tasks: readonly Task[];
  readonly pausedQueues: ReadonlySet<string>;
  /** Of tasks whose rows are visible, by task. */
  readonly attempts: ReadonlyMap<string, Attempt>;
  /** Of workers on this host whose rows are visible: the last line of their output. */
  readonly outputs: ReadonlyMap<string, string>;
  /** In US dollars, of workers on this host whose agents report it. */
  readonly spends: ReadonlyMap<string, number>;
}

export type RestingSlot = FleetStatus['resting'][number];

/** One line that can be selected. */
export type Item =
  | { readonly type: 'worker'; readonly id: string; readonly worker: StatusWorker }
  /** A place for a worker that stays empty for a while. */
  | { readonly type: 'slot'; readonly id: string; readonly slot: RestingSlot }
  | { readonly type: 'task'; readonly id: string; readonly task: Task };

export type Pane = 'workers' | 'tasks';

/** Everything that can be selected and matches the filter. Nothing is formatted here: there may be a thousand. */
export function itemsOf({ status, tasks }: WatchFacts, filter: string): Readonly<Record<Pane, readonly Item[]>> {
  const words = filter.toLowerCase();
  const matches = (...texts: readonly (string | null)[]) =>
    words === '' || texts.some((text) => text?.toLowerCase().includes(words));
  return {
    workers: [
      ...status.workers
        .filter(({ id, host, queue, taskTitle, status: state }) => matches(id, host, queue, taskTitle, state))
        .map((worker): Item => ({ type: 'worker', id: worker.id, worker })),
      ...status.resting
        .filter(({ slot }) => matches(slot))
        .map((slot): Item => ({ type: 'slot', id: slot.slot, slot })),
    ],
    tasks: tasks
      .filter(({ id, title, queue, type, status: state }) => matches(id, title, queue, type, state))
      .map((task): Item => ({ type: 'task', id: task.id, task })),
  };
}

/** The worker that has a task. */
export const holderOf = ({ status }: Pick<WatchFacts, 'status'>, taskId: string): StatusWorker | undefined =>
  status.workers.find((worker) => worker.taskId === taskId);
