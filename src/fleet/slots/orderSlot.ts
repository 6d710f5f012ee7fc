import { connect } from 'node:net';
import { type SlotAnswer, type SlotOrder, slotAnswer } from '../../schemas/slotProcess.ts';
import { frameReader } from '../../store/sqlite/broker/frames.ts';
import { whyNotToConnect } from '../../store/sqlite/broker/socketPath.ts';
import { type Clock, callAfter } from '../../system/clock.ts';
import type { DetachedEnd } from '../../system/detachedProcess.ts';

export type OrderedSlot =
  | { readonly type: 'started'; readonly ended: Promise<DetachedEnd> }
  | { readonly type: 'obeyed' }
  | { readonly type: 'refused'; readonly reason: string }
  /** It does not listen: it did not get the order. */
  | { readonly type: 'unreachable' }
  /** It may carry out the order later. */
  | { readonly type: 'silent' };

/** A process that answers nothing for this long hangs; its slots are not served either. */
const ANSWER_WITHIN_MS = 10_000;
const LONGEST_ANSWER = 4_096;
const UNKNOWN_END: DetachedEnd = { code: null, signal: null };

interface Ordering {
  readonly socket: string;
  readonly clock: Clock;
  readonly withinMs?: number;
}

/** Sends one order to a process with many slots. The connection of a start stays open until that slot has ended. */
export function orderSlot(
  order: SlotOrder,
  { socket, clock, withinMs = ANSWER_WITHIN_MS }: Ordering,
): Promise<OrderedSlot> {
  if (whyNotToConnect(socket) !== null) return Promise.resolve({ type: 'unreachable' });
  const connection = connect(socket);
  const ordered = Promise.withResolvers<OrderedSlot>();
  const ended = Promise.withResolvers<DetachedEnd>();
  let isSent = false;
  const giveUp = () => {
    connection.destroy();
    ordered.resolve({ type: isSent ? 'silent' : 'unreachable' });
    ended.resolve(UNKNOWN_END);
  };
  const cancel = callAfter(clock, withinMs, giveUp);
  const receive = (frame: unknown) => {
    const answer: SlotAnswer | undefined = slotAnswer.safeParse(frame).data;
    cancel();
    if (answer?.type === 'started') {
      // a coordinator may end before its workers
      connection.unref();
      return ordered.resolve({ type: 'started', ended: ended.promise });
    }
    if (answer?.type === 'ended') ended.resolve({ code: answer.code, signal: null });
    else if (answer !== undefined) ordered.resolve(answer);
    connection.destroy();
  };
  const reader = frameReader({ longest: LONGEST_ANSWER, onFrame: receive, onNonsense: giveUp });
  connection.setEncoding('utf8');
  connection.on('data', reader.read);
  connection.on('error', giveUp);
  connection.on('close', () => {
    cancel();
    giveUp();
  });
  connection.once('connect', () => {
    isSent = true;
    connection.write(`${JSON.stringify(order)}\n`);
  });
  return ordered.promise;
}
