import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client of a broker's socket that writes whatever a test gives it. */
export interface RawClient extends Disposable {
  readonly socket: Socket;
  /** Everything that was received so far. */
  received(): string;
  /** Resolves when the server has hung up. */
  readonly closed: Promise<void>;
}

export async function rawClient(path: string): Promise<RawClient> {
  const socket = connect(path);
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  // writing to a server that has hung up is part of the tests
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  await once(socket, 'connect');
  return { socket, received: () => text, closed, [Symbol.dispose]: () => socket.destroy() };
}
