import { execFileSync } from 'node:child_process';
import path from 'node:path';

const BRIDGE = path.join(import.meta.dirname, 'bridge.mjs');
/** The same in every namespace: nothing else listens there. */
const PORT = 4310;
const URL_INSIDE = `http://127.0.0.1:${PORT}`;

/** Whether an agent runs where only loopback exists. */
export type Isolation =
  | { readonly type: 'isolated'; readonly url: string; wrap(words: readonly string[], socket: string): string[] }
  | { readonly type: 'open'; readonly why: string };

const UP = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

function probe(): Isolation {
  try {
    const [file = '', ...args] = [...UP, 'true'];
    execFileSync(file, args, { stdio: 'pipe', timeout: 5_000 });
  } catch (error) {
    return { type: 'open', why: `agents of tests run with this machine's network: ${(error as Error).message.trim()}` };
  }
  const wrap = (words: readonly string[], socket: string) => [
    ...UP,
    process.execPath,
    BRIDGE,
    socket,
    String(PORT),
    Buffer.from(JSON.stringify(words)).toString('base64'),
  ];
  return { type: 'isolated', url: URL_INSIDE, wrap };
}

let known: Isolation | undefined;

/** Asked of the machine once in a process; a machine that forbids it is reported once. */
export function isolation(): Isolation {
  if (known) return known;
  known = probe();
  if (known.type === 'open') process.stderr.write(`${known.why}\n`);
  return known;
}
