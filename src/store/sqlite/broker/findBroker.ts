import { existsSync } from 'node:fs';
import type { Clock } from '../../../system/clock.ts';
import type { BrokerClient } from './brokerClient.ts';
import { differentProtocols } from './frames.ts';
import { inodeOf, whyNotToConnect } from './socketPath.ts';

/** A process that works at the file checks for a server at most this often. */
const CHECK_EVERY_MS = 20;
/** A server that refused a connection is not tried again before this. */
const REFUSED_MS = 1_000;
/** Nor is one that did not answer in time: each try costs the whole timeout. */
const SILENT_MS = 3_000;

const AT_THE_FILE = 'Until then, this process uses the file directly.';

export interface BrokerFinder {
  /** The current connection; a promise only while it is being made. */
  now(): BrokerClient | undefined | Promise<BrokerClient | undefined>;
  close(): void;
}

/**
 * The connection to the process that serves a database, renewed when it breaks. Without one the caller uses the file. A server
 * of another protocol, or a socket that another user may have put there, is avoided until it is replaced.
 */
export function findBroker(
  socket: string,
  { clock, onNotice }: { readonly clock: Clock; readonly onNotice: (sentence: string) => void },
): BrokerFinder {
  let client: BrokerClient | undefined;
  /** Identifies the socket of the connection. */
  let inode: number | undefined;
  let connecting: Promise<BrokerClient | undefined> | undefined;
  let avoided: number | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  /** The socket that `notBefore` applies to: a replacement is used immediately. */
  let pausedInode: number | undefined;
  let isClosed = false;

  const avoid = (which: number | undefined, why: string) => {
    avoided = which;
    onNotice(why);
  };
  const pause = (ms: number) => {
    notBefore = clock.now() + ms;
    pausedInode = inode;
  };
  const connect = async () => {
    const { connectBroker } = await import('./brokerClient.ts');
    inode = inodeOf(socket);
    const found = await connectBroker(socket);
    connecting = undefined;
    if (isClosed) return void found?.close();
    client = found;
    if (!client) pause(REFUSED_MS);
    return client;
  };
  /** Decides whether a broken connection may be renewed immediately. */
  const leave = ({ foreign, isMute }: BrokerClient) => {
    if (foreign) avoid(inode, `${differentProtocols(foreign.protocol)} ${AT_THE_FILE}`);
    if (isMute) pause(SILENT_MS);
    client = undefined;
  };
  let checkedAt = Number.NEGATIVE_INFINITY;

  return {
    now: () => {
      if (client?.isOpen) return client;
      if (client) leave(client);
      if (connecting) return connecting;
      const now = clock.now();
      if (now - checkedAt < CHECK_EVERY_MS) return undefined;
      checkedAt = now;
      // the network code is loaded only when there is a socket
      if (!existsSync(socket)) return undefined;
      const found = inodeOf(socket);
      if (found === avoided || (found === pausedInode && now < notBefore)) return undefined;
      const why = whyNotToConnect(socket);
      if (why !== null) return void avoid(found, why);
      connecting = connect();
      return connecting;
    },
    close: () => {
      isClosed = true;
      client?.close();
    },
  };
}
