import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { encodeFrame, PROTOCOL } from '../../../src/store/sqlite/broker/frames.ts';

export const HELLO = encodeFrame({ stopgate: PROTOCOL });

import { bundle } from './bundle.ts';

const BROKER = path.join(import.meta.dirname, '../faultBroker.ts');

/** A process of its own that serves a file: what ends it ends no test. */
export async function servingProcess(file: string) {
  const script = await bundle(BROKER, path.dirname(file));
  const child = fork(script, [file], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'message'), ended]);
  if (child.exitCode !== null) throw new Error(`The process that serves ${file} ended with ${child.exitCode}.`);
  return {
    child,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

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
