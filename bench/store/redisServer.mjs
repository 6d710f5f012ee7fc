import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The machine's own Redis, if any, as durable as the others here: every write is on disk before its answer. */
export async function startRedis(folder) {
  const program = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((place) => path.join(place, 'redis-server'))
    .find((file) => existsSync(file));
  if (!program)
    return { type: 'missing', reason: 'BullMQ is left out: it needs Redis, and there is no redis-server here.' };
  const port = await freePort();
  const data = path.join(folder, 'redis');
  mkdirSync(data);
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', data];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const child = spawn(program, [...place, ...durable], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
  });
  child.removeAllListeners('exit');
  return {
    type: 'started',
    url: `redis://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
