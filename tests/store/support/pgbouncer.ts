import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PLACES = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'];

/** Null: it is not installed. */
export const pgbouncer: string | null = PLACES.find((place) => existsSync(place)) ?? null;

const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

export interface Pooler extends AsyncDisposable {
  readonly url: string;
}

/** A pooler in front of a server, on loopback; like a server it refuses to run as root. */
export async function startPgbouncer(server: string): Promise<Pooler> {
  const { hostname, port, username, password } = new URL(server);
  const folder = await mkdtemp('/tmp/stopgate-pgbouncer-');
  const owner = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const own = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = session
`,
    { mode: 0o600 },
  );
  if (owner) for (const entry of [folder, file]) await chown(entry, owner.uid, owner.gid);
  const child = spawn(pgbouncer ?? '', [file], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes('process up')) break;
  }
  if (child.exitCode !== null) throw new Error(`pgbouncer did not start: ${lines.join('\n')}`);
  return {
    url: `postgres://${username}@127.0.0.1:${own}/postgres`,
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
