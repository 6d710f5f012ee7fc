import { existsSync } from 'node:fs';
import type { BrokerClient } from './brokerClient.ts';
import { differentProtocols } from './frames.ts';
import { inodeOf, whyNotToConnect } from './socketPath.ts';

/** Who did not take a connection just now is not asked again at once. */
const RETRY_AFTER_MS = 1_000;
/** How long one who serves may go unseen by one who works at the file, and need not look before each request. */
const LOOK_EVERY_MS = 20;
/** How often one who had stopped to answer is asked whether it does again. */
const PROBE_EVERY_MS = 3_000;

const AT_THE_FILE = 'Until then this one works at the file itself.';

export interface BrokerFinder {
  /** At once what is known; a promise only while there is somebody to connect to. */
  now(): BrokerClient | undefined | Promise<BrokerClient | undefined>;
  close(): void;
}

/**
 * The connection to whoever serves a database, made again when it broke.
 *
 * connected → broken: the next request connects again, to this broker or another one.
 * connected → mute: a stopped process keeps its socket and takes connections, so each request would wait in vain for as long as
 *             the first did. It is passed by until it answers a question that nobody waits for, or another one is in its place.
 * connected → foreign: it speaks another protocol. It is passed by until another one is in its place, and so is a socket that
 *             another user may have put there.
 */
export function findBroker(socket: string, onNotice: (sentence: string) => void): BrokerFinder {
  let client: BrokerClient | undefined;
  /** Of the socket it was found at: another one has another. */
  let inode: number | undefined;
  let connecting: Promise<BrokerClient | undefined> | undefined;
  let mute: { readonly inode: number | undefined; askedAt: number } | undefined;
  /** The socket that is not used at all. */
  let avoided: number | undefined;
  let probe: BrokerClient | undefined;
  let isClosed = false;
  let notBefore = 0;
  // by the plain clock: `performance` is loaded at its first use, which a short-lived process need not pay for
  let lookedAt = Number.NEGATIVE_INFINITY;

  const avoid = (which: number | undefined, why: string) => {
    avoided = which;
    onNotice(why);
  };

  const connect = async () => {
    const { connectBroker } = await import('./brokerClient.ts');
    inode = inodeOf(socket);
    client = await connectBroker(socket);
    if (!client) notBefore = performance.now() + RETRY_AFTER_MS;
    connecting = undefined;
    return client;
  };

  /** Answered, it is used from then on; nobody has waited for it. */
  const ask = async (about: NonNullable<typeof mute>) => {
    about.askedAt = performance.now();
    const { connectBroker } = await import('./brokerClient.ts');
    const asked = await connectBroker(socket);
    if (isClosed || mute !== about) return asked?.close();
    probe = asked;
    const answers = (await asked?.answers()) ?? false;
    probe = undefined;
    if (isClosed || mute !== about) return asked?.close();
    if (!answers) return;
    client = asked;
    inode = about.inode;
    mute = undefined;
  };

  return {
    now: () => {
      if (client?.isOpen) return client;
      if (client?.foreign) avoid(inode, `${differentProtocols(client.foreign.protocol)} ${AT_THE_FILE}`);
      if (client?.isMute) mute = { inode, askedAt: performance.now() };
      client = undefined;
      if (connecting) return connecting;
      const now = performance.now();
      if (now - lookedAt < LOOK_EVERY_MS) return undefined;
      lookedAt = now;
      // one look at the folder; the network code is only loaded for somebody who answers
      if (!existsSync(socket) || performance.now() < notBefore) return undefined;
      if (avoided !== undefined && inodeOf(socket) === avoided) return undefined;
      const why = whyNotToConnect(socket);
      if (why !== null) return void avoid(inodeOf(socket), why);
      if (mute && inodeOf(socket) === mute.inode) {
        if (performance.now() - mute.askedAt >= PROBE_EVERY_MS && !probe) void ask(mute);
        return undefined;
      }
      mute = undefined;
      connecting ??= connect();
      return connecting;
    },
    close: () => {
      isClosed = true;
      client?.close();
      probe?.close();
    },
  };
}
