import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { type SlotAnswer, slotOrder } from '../../schemas/slotProcess.ts';
import { frameReader } from '../../store/sqlite/broker/frames.ts';
import { listenPrivately } from '../../store/sqlite/broker/serveBroker.ts';
import { inodeOf, whyNotToBind } from '../../store/sqlite/broker/socketPath.ts';
import { attempt } from '../../system/attempt.ts';
import type { SlotBoard } from './slotBoard.ts';

/** No order is longer. */
const LONGEST_ORDER = 4_096;

/** Takes orders for the slots of this process; a sentence when it cannot. */
export async function serveSlots(board: SlotBoard, socket: string): Promise<AsyncDisposable | string> {
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    takeOrders(connection, board);
  });
  const why = whyNotToBind(socket) ?? (await listenPrivately(server, socket));
  if (why !== null) return why;
  const inode = inodeOf(socket);
  return {
    [Symbol.asyncDispose]: async () => {
      if (attempt(() => inodeOf(socket), undefined) === inode) rmSync(socket, { force: true });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // what was answered last is delivered first
      for (const connection of connections) connection.destroySoon();
      await closed;
    },
  };
}

function takeOrders(connection: Socket, board: SlotBoard): void {
  const answer = (line: SlotAnswer) => {
    if (connection.writable) connection.write(`${JSON.stringify(line)}\n`);
  };
  const hangUp = () => connection.destroy();
  const receive = (frame: unknown) => {
    const { data } = slotOrder.safeParse(frame);
    if (data === undefined) return hangUp();
    const { order, slot, incarnation } = data;
    if (order === 'start') {
      const start = board.start(slot, incarnation);
      if (start.type === 'refused') return answer(start);
      answer({ type: 'started' });
      void start.ended.then((code) => answer({ type: 'ended', code }));
    } else if (board.obey(order, slot, incarnation)) answer({ type: 'obeyed' });
    else answer({ type: 'refused', reason: `${slot} is not a slot of this process` });
  };
  const reader = frameReader({ longest: LONGEST_ORDER, onFrame: receive, onNonsense: hangUp });
  connection.setEncoding('utf8');
  connection.on('data', reader.read);
  connection.on('error', hangUp);
}
