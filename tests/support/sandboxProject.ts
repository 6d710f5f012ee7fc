import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import dgram from 'node:dgram';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { openSandbox } from '../../src/cli/wiring/sandbox/openSandbox.ts';
import { NO_SANDBOX, type SandboxSettings } from '../../src/schemas/sandboxSettings.ts';
import { childEnvironment } from '../../src/stop/childEnvironment.ts';
import { systemClock } from '../../src/system/clock.ts';
import { findProgram } from '../../src/system/findProgram.ts';
import { systemIds } from '../../src/system/ids.ts';
import { probeBubblewrap } from '../../src/system/sandbox/probeBubblewrap.ts';
import { spawnProcesses } from '../../src/system/spawnProcesses.ts';
import type { World } from '../../src/system/world.ts';
import { callTool, freeDirectory, testToolContext } from '../../src/testing/toolContext.ts';
import { backgroundShells } from '../../src/tools/bash/backgroundShells.ts';
import { bashTool } from '../../src/tools/bash/bash.ts';

/** Why nothing can be tried here; null where bwrap works. */
export async function whyNoSandbox(): Promise<string | null> {
  const processes = spawnProcesses();
  const env = { PATH: process.env.PATH ?? '' };
  const { seccompFilter } = await import('../../src/system/sandbox/seccompFilter.ts');
  const folder = mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'probe-'));
  const filterFile = path.join(folder, 'filter');
  writeFileSync(filterFile, seccompFilter() ?? '');
  const probe = await probeBubblewrap({ processes, env, filterFile, folders: [] });
  rmSync(folder, { recursive: true });
  return probe.type === 'works' ? null : probe.reason;
}

const CHECKOUT = path.join(import.meta.dirname, '../..');

/** Beside the repository's own test results, but not in /tmp, which the sandbox has its own of. */
const BASE = CHECKOUT.startsWith('/tmp/')
  ? path.join(homedir(), '.cache/stopgate-tests/sandbox')
  : path.join(CHECKOUT, '.vitest');

const HELPER = path.join(import.meta.dirname, '../../profiles/spawn-helper.pl');

/** Every secret holds this word, so that one look at an output shows whether one got out. */
export const SECRET = 'TOPSECRET';

/** Places of the machine that a command could leave something in. */
const ELSEWHERE = ['/etc', '/usr/local/bin', '/var/lib', '/var/tmp', '/tmp', '/dev/shm', '/run', '/root', '/opt', '/'];

export interface SandboxProjectOptions {
  readonly settings?: Partial<SandboxSettings>;
  readonly deny?: readonly string[];
  /** False runs the same commands as if there were no sandbox. */
  readonly sandboxed?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the files before the session begins. */
  readonly prepare?: (places: Places) => void;
}

interface Places {
  readonly base: string;
  readonly project: string;
  readonly home: string;
  readonly outside: string;
}

interface Tried {
  readonly output: string;
  readonly failed: boolean;
}

export interface SandboxProject extends Places, AsyncDisposable {
  /** Runs a command as the model would. */
  run(command: string, more?: { readonly background?: boolean; readonly timeout?: number }): Promise<Tried>;
  /** What an escape could have changed, by name. */
  state(): Record<string, string>;
  readonly warnings: readonly string[];
  /** A word by which processes that were left behind are found. */
  readonly mark: string;
  readonly port: number;
}

/** A project, a home with secrets, servers and a process outside, and a session's sandbox around its commands. */
export async function sandboxProject(options: SandboxProjectOptions = {}): Promise<SandboxProject> {
  mkdirSync(BASE, { recursive: true });
  const base = mkdtempSync(path.join(BASE, 'sandbox-'));
  const places = {
    base,
    project: path.join(base, 'project'),
    home: path.join(base, 'home'),
    outside: path.join(base, 'outside'),
  };
  cpSync(template(), base, { recursive: true });
  options.prepare?.(places);
  const mark = `mark-${path.basename(base)}`;
  const outside = await startOutside(places, mark);
  const processes = spawnProcesses({ helperScript: HELPER });
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: places.home,
    LC_ALL: 'C.UTF-8',
    ANTHROPIC_API_KEY: `${SECRET}-key`,
    SSH_AUTH_SOCK: path.join(places.outside, 'agent.sock'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${path.join(places.outside, 'agent.sock')}`,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
    ...options.env,
  };
  const stopgateHome = path.join(places.home, '.stopgate');
  const world: World = {
    env,
    cwd: places.project,
    homeDir: places.home,
    stopgateHome,
    clock: systemClock,
    ids: systemIds,
    processes,
  };
  const variables = {
    ...{
      OUT: places.outside,
      P: places.project,
      BASE: base,
      MARK: mark,
      PORT: `${outside.port}`,
      UDP: `${outside.udp}`,
    },
    ...{ VICTIM: `${outside.victim.pid}`, ABSTRACT: mark },
  };
  const commandEnv = { ...childEnvironment(env, {}), ...variables };
  const rules = {
    allow: [],
    ask: [],
    deny: options.deny ?? ['Read(secrets/**)', 'Read(.env)', 'Read(conf/inner/token)', 'Edit(locked.txt)'],
  };
  const warnings: string[] = [];
  const opened = await openSandbox({
    settings: { ...NO_SANDBOX, enabled: true, ...options.settings },
    permissions: { mode: 'default', rules, additionalDirectories: [], homeDir: places.home },
    world,
    env: commandEnv,
    envFile: path.join(stopgateHome, 'hook-env.sh'),
    required: false,
    warn: (sentence) => warnings.push(sentence),
  });
  if (opened.type !== 'open') throw new Error(opened.reason);
  const context = await testToolContext({
    processes,
    env: commandEnv,
    envFile: path.join(stopgateHome, 'hook-env.sh'),
    directory: freeDirectory(places.project),
    shells: backgroundShells(processes),
    ...(options.sandboxed === false ? {} : { sandbox: opened.sandbox }),
  });
  return {
    ...places,
    mark,
    port: outside.port,
    warnings: [...opened.warnings, ...warnings],
    state: () => ({ ...treeOf(places), ...outside.state(), ...elsewhere(mark), ...machine(outside.port) }),
    async run(command, { background = false, timeout = 20_000 } = {}) {
      const input = background ? { command, run_in_background: true } : { command, timeout };
      const { outcome } = await callTool(bashTool, input, context);
      if (background && outcome.type === 'done') {
        const id = String((outcome.output as { backgroundTaskId?: string }).backgroundTaskId);
        const shell = await context.shells.whenEnded(id);
        const said = context.shells.readNew(id);
        return { output: `${said?.stdout}${said?.stderr}`, failed: shell?.status !== 'completed' };
      }
      const output = outcome.type === 'failed' ? outcome.message : String(outcome.content);
      return { output, failed: outcome.type === 'failed' };
    },
    [Symbol.asyncDispose]: async () => {
      await context[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
      await outside[Symbol.asyncDispose]();
      for (const pid of marked(mark)) process.kill(pid, 'SIGKILL');
      if (machine(outside.port).shared) execFileSync('ipcrm', ['-M', `${outside.port}`]);
      for (const folder of ELSEWHERE) rmSync(path.join(folder, mark), { recursive: true, force: true });
      rmSync(base, { recursive: true, force: true });
    },
  };
}

let made: string | undefined;
afterAll(() => {
  if (made) rmSync(made, { recursive: true, force: true });
});

/** Made once; a copy of it is quicker than a new repository. */
function template(): string {
  if (made) return made;
  const base = mkdtempSync(path.join(process.env.TMPDIR ?? tmpdir(), 'sandbox-template-'));
  fill({
    base,
    project: path.join(base, 'project'),
    home: path.join(base, 'home'),
    outside: path.join(base, 'outside'),
  });
  made = base;
  return base;
}

function fill({ project, home, outside }: Places): void {
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write(path.join(outside, 'victim.txt'), 'untouched');
  write(path.join(outside, 'folder/inner.txt'), 'untouched');
  for (const name of [
    '.ssh/id_ed25519',
    '.ssh/authorized_keys',
    '.aws/credentials',
    '.config/gh/hosts.yml',
    '.netrc',
    '.npmrc',
    '.gnupg/key',
    '.stopgate/trust.json',
    '.git-credentials',
    '.claude/.credentials.json',
  ])
    write(path.join(home, name), `${SECRET}-${name}`);
  write(path.join(home, '.bashrc'), 'untouched');
  write(path.join(home, '.claude/settings.json'), '{}');
  const files = { 'secrets/one.txt': SECRET, '.env': SECRET, 'conf/inner/token': SECRET, 'deep/down/.env': SECRET };
  for (const [name, text] of Object.entries(files)) write(path.join(project, name), text);
  write(path.join(project, 'locked.txt'), 'untouched');
  write(path.join(project, 'src/a.js'), 'console.log(1)\n');
  write(path.join(project, '.gitignore'), 'secrets\n.env\ntoken\n');
  write(path.join(project, '.claude/settings.json'), '{}');
  write(path.join(project, 'stopgate.config.json'), '{"checks":[]}');
  write(path.join(project, '.husky/pre-commit'), 'true\n');
  const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('add', 'src', '.gitignore');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'one');
}

async function startOutside({ outside, home }: Places, mark: string) {
  const hits: string[] = [];
  const clients = new Set<net.Socket>();
  const open: (net.Server | dgram.Socket)[] = [];
  const listen = async (name: string, where: net.ListenOptions): Promise<net.Server> => {
    const server = net.createServer((client) => {
      hits.push(name);
      clients.add(client);
      client.on('error', () => {});
      client.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${SECRET.length}\r\n\r\n${SECRET}`);
    });
    await new Promise<void>((listening) => server.listen(where, listening));
    open.push(server);
    return server;
  };
  const tcp = await listen('tcp', { port: 0, host: '0.0.0.0' });
  await listen('unix', { path: path.join(outside, 'agent.sock') });
  await listen('abstract', { path: `\0${mark}` });
  mkdirSync(path.join(home, '.docker/run'), { recursive: true });
  await listen('docker', { path: path.join(home, '.docker/run/docker.sock') });
  const run = `/run/${mark}`;
  if (process.getuid?.() === 0) await listen('run', { path: run });
  const udp = dgram.createSocket('udp4').on('message', () => hits.push('udp'));
  await new Promise<void>((bound) => udp.bind(0, '127.0.0.1', bound));
  open.push(udp);
  const victim = spawn('sleep', ['600'], {
    env: { PATH: process.env.PATH ?? '', KEY: `${SECRET}-of-a-process` },
    stdio: 'ignore',
  });
  return {
    port: (tcp.address() as AddressInfo).port,
    udp: udp.address().port,
    victim,
    state: () => ({ hits: hits.join(' '), victim: isRunning(victim) ? 'alive' : 'gone' }),
    [Symbol.asyncDispose]: async () => {
      victim.kill('SIGKILL');
      for (const client of clients) client.destroy();
      for (const one of open) await new Promise<void>((closed) => one.close(() => closed()));
    },
  };
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (exitCode !== null || signalCode !== null) return false;
  const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
  return state !== 'Z' && state !== 'T' && state !== 't';
}

/** Outside, the home, and what in the project decides which programs run. */
function treeOf({ base, project, home, outside }: Places): Record<string, string> {
  const git = ['hooks', 'config', 'commondir', 'config.worktree'].map((name) => path.join(project, '.git', name));
  const guarded = [
    'escaped',
    '.claude',
    '.mcp.json',
    '.husky',
    'stopgate.config.json',
    'locked.txt',
    'secrets',
    '.env',
    'conf',
    'deep',
  ];
  const roots = [outside, home, ...git, ...guarded.map((name) => path.join(project, name))];
  const found: Record<string, string> = {};
  const add = (file: string) => {
    const facts = lstatSync(file, { throwIfNoEntry: false });
    if (!facts) return;
    const name = path.relative(base, file);
    const mode = (facts.mode & 0o7777).toString(8);
    if (facts.isDirectory()) {
      found[name] = mode;
      for (const entry of readdirSync(file)) add(path.join(file, entry));
    } else if (facts.isSymbolicLink()) found[name] = `-> ${readlinkSync(file)}`;
    else found[name] = facts.isFile() ? `${mode} ${facts.nlink} ${readFileSync(file, 'utf8')}` : 'special';
  };
  for (const root of roots) add(root);
  found.base = readdirSync(base).join(' ');
  return found;
}

function elsewhere(mark: string): Record<string, string> {
  const left = ELSEWHERE.filter((folder) => {
    const facts = lstatSync(path.join(folder, mark), { throwIfNoEntry: false });
    return facts !== undefined && !facts.isSocket();
  });
  return { elsewhere: left.join(' '), daemons: marked(mark).length > 0 ? 'alive' : '' };
}

function machine(key: number): Record<string, string> {
  const read = (file: string) => readFileSync(file, 'utf8').trim();
  return {
    hostname: read('/proc/sys/kernel/hostname'),
    corePattern: read('/proc/sys/kernel/core_pattern'),
    shared: new RegExp(`^\\s*${key}\\s`, 'm').test(read('/proc/sysvipc/shm')) ? 'made' : '',
  };
}

/** Processes that carry the mark in their name, whoever their parent is. */
function marked(mark: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`daemon-${mark}`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

export const hasProgram = (name: string) => findProgram(name, '/', process.env.PATH) !== null;
