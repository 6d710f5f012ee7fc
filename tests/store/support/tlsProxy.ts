import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';

export interface TlsProxy extends AsyncDisposable {
  readonly url: string;
  /** Of the certificate that signed its own. */
  readonly root: string;
}

const SSL_REQUEST = 80_877_103;

/** A PostgreSQL that accepts encrypted connections only: a real one, with this in front of it. */
export async function tlsProxy(target: string, folder: string): Promise<TlsProxy> {
  const [key, root] = ['key.pem', 'root.pem'].map((name) => path.join(folder, name)) as [string, string];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    root,
    ...subject,
  ];
  execFileSync('openssl', made, { stdio: 'pipe' });
  const secureContext = createSecureContext({ key: readFileSync(key), cert: readFileSync(root) });
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    client.once('data', (first) => {
      if (first.readInt32BE(4) !== SSL_REQUEST) return client.end(refusal());
      client.write('S');
      const secure = new TLSSocket(client, { isServer: true, secureContext });
      const upstream = connect(Number(port), hostname);
      sockets.add(upstream);
      secure.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
      secure.pipe(upstream).pipe(secure);
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    root,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a server answers whose pg_hba.conf has only hostssl lines. */
function refusal(): Buffer {
  const message = 'no pg_hba.conf entry for host "127.0.0.1", user "postgres", database "postgres", no encryption';
  const fields = ['SFATAL', 'VFATAL', 'C28000', `M${message}`].map((field) => `${field}\0`).join('');
  const body = Buffer.from(`${fields}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
