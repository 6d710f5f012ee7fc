import { readFileSync } from 'node:fs';
import { attemptLogFile } from '../../../../launch/attempt/attemptLog.ts';
import { attempt as attemptTo } from '../../../../system/attempt.ts';
import { definedOnly } from '../../../../system/definedOnly.ts';
import { fileTail } from '../../../../system/fileTail.ts';
import { stopgateHome } from '../../../../system/stopgateHome.ts';
import { hostNameOf, isSameHost, thisHost } from '../../../../system/thisHost.ts';
import { UserError } from '../../../../system/userError.ts';
import { type Attempt, available, type Store } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';
import { wholeNumber } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';

type LogsOptions = CommonOptions & Flags<'attempt', 'follow'>;

const POLL_MS = 250;
/** More than is kept of an attempt. */
const READ_BYTES = 8 * 1024 * 1024;

/** `stopgate task logs`: what the agent of an attempt printed. */
export async function runLogs(id: string, options: LogsOptions, world: WaitingWorld): Promise<number> {
  const epoch = wholeNumber('--attempt', options.attempt, { least: 1 });
  await using store = await openTaskStoreToShow(options.store, world);
  const taskId = await findTaskId(store, id);
  const one = await chosenAttempt(store, taskId, epoch);
  const file = attemptLogFile(stopgateHome(definedOnly(world.env)), one);
  const kept = attemptTo(() => readFileSync(`${file}.1`, 'utf8'), '');
  const tail = fileTail(file, READ_BYTES);
  const first = tail.read();
  const isOpen = one.endedAt === null;
  if (first.type === 'missing' && !(options.follow && isOpen)) throw new UserError(await whyNone(store, one, file));
  const text = kept + (first.type === 'missing' ? '' : first.text);
  if (options.json) {
    world.print(`${JSON.stringify({ taskId, epoch: one.epoch, state: one.state, file, text })}\n`);
    return TASK_EXIT.done;
  }
  world.print(text);
  if (options.follow) await follow({ store, one, read: tail.read, world });
  return world.signal.aborted ? TASK_EXIT.interrupted : TASK_EXIT.done;
}

async function chosenAttempt(store: Store, taskId: string, epoch: number | undefined): Promise<Attempt> {
  const { attempts } = available(await store.attempts({ taskId }));
  const found = epoch === undefined ? attempts.at(-1) : attempts.find((one) => one.epoch === epoch);
  if (found) return found;
  if (attempts.length === 0) throw new UserError(`Task ${taskId} was never started, so it has no output.`);
  const known = attempts.map((one) => one.epoch).join(', ');
  throw new UserError(`Task ${taskId} has no attempt ${epoch}; its attempts are ${known}.`);
}

/** Output is kept where the worker runs. */
async function whyNone(store: Store, { workerId, epoch, taskId }: Attempt, file: string): Promise<string> {
  const [worker] = available(await store.workers({ workerId })).workers;
  const host = worker?.host ?? null;
  if (host !== null && !isSameHost(host, thisHost()))
    return `The output of attempt ${epoch} of task ${taskId} is on the host of its worker, ${hostNameOf(host)}; run this command there.`;
  return `No output of attempt ${epoch} of task ${taskId} is kept: there is no ${file}. Only agents of \`stopgate worker run\` and \`fleet up\` have one, for 14 days.`;
}

interface Following {
  readonly store: Store;
  readonly one: Attempt;
  readonly read: ReturnType<typeof fileTail>['read'];
  readonly world: WaitingWorld;
}

/** Until the attempt has ended and all of its output is printed. */
async function follow({ store, one, read, world }: Following): Promise<void> {
  const { clock, signal } = world;
  while (!signal.aborted) {
    const { attempts } = available(await store.attempts({ taskId: one.taskId }));
    const now = attempts.find(({ id }) => id === one.id);
    const more = read();
    if (more.type !== 'missing') world.print(more.text);
    if (now === undefined || now.endedAt !== null) {
      world.warn(`Attempt ${one.epoch} has ended: ${(now?.state ?? 'unknown').replaceAll('_', ' ')}.`);
      return;
    }
    await clock.sleep(POLL_MS, signal);
  }
}
