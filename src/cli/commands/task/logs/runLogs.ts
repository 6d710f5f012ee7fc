import path from 'node:path';
import { attemptLogFile } from '../../../../launch/attempt/attemptLog.ts';
import { isObject, jsonValue } from '../../../../schemas/jsonValue.ts';
import { definedOnly } from '../../../../system/definedOnly.ts';
import { fileTail } from '../../../../system/fileTail.ts';
import { readLastLinesSync, textIn } from '../../../../system/readTextFile.ts';
import { stopgateHome } from '../../../../system/stopgateHome.ts';
import { hostNameOf, isSameHost, thisHost } from '../../../../system/thisHost.ts';
import { UserError } from '../../../../system/userError.ts';
import { paintFor } from '../../../output/colors.ts';
import { transcriptLines } from '../../../output/transcriptLines.ts';
import { type Attempt, available, type Store } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';
import { wholeNumber } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';

type LogsOptions = CommonOptions & Flags<'attempt', 'follow' | 'transcript'>;

const POLL_MS = 250;
/** More than is kept of an attempt. */
const READ_BYTES = 8 * 1024 * 1024;
const SHORTEST_SESSION = 8;

/** `stopgate task logs`: what the agent of an attempt printed. */
export async function runLogs(id: string, options: LogsOptions, world: WaitingWorld): Promise<number> {
  const epoch = wholeNumber('--attempt', options.attempt, { least: 1 });
  await using store = await openTaskStoreToShow(options.store, world);
  const taskId = await findTaskId(store, id);
  const one = await chosenAttempt(store, taskId, epoch);
  if (options.transcript) return printTranscript(one, await otherHost(store, one), options, world);
  const file = attemptLogFile(stopgateHome(definedOnly(world.env)), one);
  const kept = textIn(`${file}.1`, READ_BYTES);
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
  const host = await otherHost(store, { workerId });
  if (host !== null)
    return `The output of attempt ${epoch} of task ${taskId} is on the host of its worker, ${host}; run this command there.`;
  return `No output of attempt ${epoch} of task ${taskId} is kept: there is no ${file}. Only agents of \`stopgate worker run\` and \`fleet up\` have one, for 14 days.`;
}

/** The name of the host of its worker, when that is not this one. */
async function otherHost(store: Store, { workerId }: Pick<Attempt, 'workerId'>): Promise<string | null> {
  const [worker] = available(await store.workers({ workerId })).workers;
  const host = worker?.host ?? null;
  return host === null || isSameHost(host, thisHost()) ? null : hostNameOf(host);
}

/** The conversation of its agent, which may have worked on other tasks in the same session. */
function printTranscript(one: Attempt, host: string | null, options: LogsOptions, world: WaitingWorld): number {
  const { taskId, epoch } = one;
  const { transcript: file, session } = one.details;
  const which = `attempt ${epoch} of task ${taskId}`;
  if (file === undefined) {
    const why = session === undefined ? 'its agent reported no session' : `its session ${session} has none`;
    throw new UserError(`No transcript of ${which} is known: ${why}.`);
  }
  if (host !== null)
    throw new UserError(`The transcript of ${which} is on ${host}, in ${file}; run this command there.`);
  const read = readLastLinesSync(file, READ_BYTES);
  if (read.type === 'missing') throw new UserError(`The transcript of ${which} is gone: there is no ${file}.`);
  if (read.type === 'unreadable')
    throw new UserError(`The transcript of ${which}, ${file}, cannot be read: ${read.message}.`);
  if (!isTranscript(file, read.text, session))
    throw new UserError(
      `What the agent of ${which} named as its transcript, ${file}, is not the conversation of its session; it is not shown.`,
    );
  if (read.cut) world.warn(`Only the last ${READ_BYTES / 1024 / 1024} MB of ${file} are shown.`);
  const lines = transcriptLines(read.text, paintFor(process.stdout.isTTY === true, world.env));
  const json = { taskId, epoch, state: one.state, session: session ?? null, file, text: read.text };
  const shown = lines.length === 0 ? read.text : `${lines.join('\n')}\n`;
  world.print(options.json ? `${JSON.stringify(json)}\n` : shown);
  return TASK_EXIT.done;
}

/**
 * An agent names the file, which could be any: what is shown must be a conversation in the form of some host, with the id of its
 * session in its name or in it.
 */
function isTranscript(file: string, text: string, session = ''): boolean {
  const isNamed = session.length >= SHORTEST_SESSION && (file.includes(session) || text.includes(session));
  if (!path.isAbsolute(file) || !isNamed) return false;
  return isObject(jsonValue(text)) || text.split('\n').every((line) => line.trim() === '' || isObject(jsonValue(line)));
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
