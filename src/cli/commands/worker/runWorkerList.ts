import { drained, processWriter } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { openTaskStoreToRead } from '../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { gatherWorkers } from './gatherWorkers.ts';
import { workersText } from './workersText.ts';

export interface WorkerListOptions {
  readonly queue?: string;
  readonly all?: true;
  readonly json?: true;
  readonly store?: string;
}

/** `stopgate worker list`. */
export async function runWorkerList(options: WorkerListOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToRead(options.store, world);
  const page = await gatherWorkers(store, { queue: options.queue, all: options.all === true });
  const writer = processWriter(() => process.exit(0));
  const isTerminal = writer.outIsTerminal;
  const width = isTerminal ? writer.columns : Number.POSITIVE_INFINITY;
  if (options.json) writer.out(`${JSON.stringify(page)}\n`);
  else if (page.workers.length === 0) writer.out(nothing(options));
  else writer.out(workersText(page, { paint: paintFor(isTerminal, world.env), width, isTerminal }));
  await drained();
  return TASK_EXIT.done;
}

const nothing = ({ all }: WorkerListOptions) =>
  all ? 'No worker was ever here.\n' : 'No worker is here now; --all shows those that were.\n';
