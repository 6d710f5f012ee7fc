import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { tempFolder } from '../../../src/testing/tempFolder.ts';
import { COMPILED_CODE } from '../compiledCode.ts';
import { BIN } from '../project.ts';
import { driverOf } from './drivers/all.ts';
import type { HostDriver, HostReply } from './hostDriver.ts';
import type { HostName } from './hostPackages.ts';
import { type HostAge, installHost } from './installHost.ts';
import { type Isolation, isolation } from './isolation.ts';
import { type HostRequest, startHostModel } from './model/hostModel.ts';
import type { Body, SeenMessage, WireReply } from './model/wire.ts';
import { setUpHost } from './setUpHost.ts';

const LIMIT_MS = 60_000;

/** The last one answers all further requests, so one error is an outage. */
type HostScript = readonly HostReply[] | ((n: number, request: HostRequest) => HostReply);

export interface DriveWish {
  readonly version?: HostAge;
  /** Its folder and its home: a `TestProject` is one. */
  readonly project: { readonly dir: string; readonly home: string };
  readonly script: HostScript;
  readonly prompt: string;
  /** The id of a session to resume. */
  readonly resume?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** After the agent's own. */
  readonly args?: readonly string[];
  /** All words of its command line, instead of the driver's. */
  readonly words?: readonly string[];
  /** Words of a `stopgate` command that runs instead; it finds the agent's program on its PATH. */
  readonly stopgate?: readonly string[];
  /** Its hooks are trusted by its settings: without a flag that runs hooks of anyone. */
  readonly trusted?: boolean;
  readonly limitMs?: number;
}

export interface DrivenHost {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON lines of stdout. */
  readonly lines: readonly Body[];
  readonly sessionId: string | undefined;
  /** How often a `stopgate` command started the agent's program, its questions for a version aside. */
  readonly starts: number;
  /** All requests, side requests too. */
  readonly requests: readonly HostRequest[];
  /** For each request of the conversation, what the model had not seen in the one before. */
  readonly turns: readonly (readonly SeenMessage[])[];
  /** Whether it was ended because it took too long. */
  readonly timedOut: boolean;
  readonly ms: number;
  readonly isolation: Isolation['type'];
}

/** Runs an agent's real program headless on a scripted model; it must be installed, see `installHost`. */
export async function driveHost(name: HostName, wish: DriveWish): Promise<DrivenHost> {
  const driver = driverOf(name);
  const host = await installHost(name, wish.version);
  if (host.type === 'missing') throw new Error(host.reason);
  const net = isolation();
  await using folder = await tempFolder();
  const socket = path.join(folder.path, 'model');
  await using model = await startHostModel({
    answer: (n, request) => replyOf(driver, wish, n, request),
    isSide: driver.isSide,
    ...(driver.sideText !== undefined && { sideText: driver.sideText }),
    ...(net.type === 'isolated' && { socket }),
  });
  const folders = { ...wish.project, url: net.type === 'isolated' ? net.url : model.url };
  setUpHost(driver, folders);
  const starter = programOnPath(name, host.program, folder.path);
  const own = [...host.program, ...(wish.words ?? [...driver.args(wish), ...(wish.args ?? [])])];
  const words = wish.stopgate ? [process.execPath, BIN, ...wish.stopgate] : own;
  const base = { ...baseEnv(wish.project.home, folder.path), ...COMPILED_CODE };
  const env = { ...base, ...driver.env(folders), PATH: `${starter.folder}:${base.PATH}`, ...wish.env };
  const command = net.type === 'isolated' ? net.wrap(words, socket) : words;
  const end = await run(command, { cwd: wish.project.dir, env, limitMs: wish.limitMs ?? LIMIT_MS });
  const lines = jsonLines(end.stdout);
  const requests = [...model.requests];
  const sessionId = driver.sessionId(lines);
  return { ...end, lines, sessionId, starts: starter.count(), requests, turns: turnsOf(requests), isolation: net.type };
}

/** A folder with a program of the agent's name that counts its starts. */
function programOnPath(name: HostName, program: readonly string[], temporary: string) {
  const folder = path.join(temporary, 'bin');
  const starts = path.join(temporary, 'starts');
  mkdirSync(folder);
  const words = program.map((word) => `'${word}'`).join(' ');
  const script = `#!/bin/sh\n[ "$1" = --version ] || echo "$$" >> '${starts}'\nexec ${words} "$@"\n`;
  writeFileSync(path.join(folder, name), script, { mode: 0o755 });
  const count = () => (existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').length : 0);
  return { folder, count };
}

/** Nothing of this machine's environment but where programs are. */
function baseEnv(home: string, temporary: string) {
  const folder = path.join(temporary, 'tmp');
  mkdirSync(folder);
  return { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', TMPDIR: folder };
}

function replyOf(driver: HostDriver, { script, project }: DriveWish, n: number, request: HostRequest): WireReply {
  const chosen = typeof script === 'function' ? script(n, request) : script[Math.min(n, script.length - 1)];
  const { shell, write, ...reply } = chosen ?? { text: 'ok' };
  const tools = [
    ...(reply.tools ?? []),
    ...(shell === undefined ? [] : [driver.shell(shell)]),
    ...(write === undefined ? [] : [driver.write(path.join(project.dir, write.file), write.text)]),
  ];
  return tools.length > 0 ? { ...reply, tools } : reply;
}

interface Running {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

async function run([file = '', ...args]: readonly string[], { cwd, env, limitMs }: Running) {
  const startedAt = Date.now();
  // a group of its own, so that what it started ends with it
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    endGroup(child.pid);
  }, limitMs);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await ended.finally(() => clearTimeout(limit));
  endGroup(child.pid);
  const [stdout, stderr] = await output;
  return { code: timedOut ? null : code, stdout, stderr, timedOut, ms: Date.now() - startedAt };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // it is gone
  }
}

function jsonLines(stdout: string): Body[] {
  return stdout.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
}

function turnsOf(requests: readonly HostRequest[]): SeenMessage[][] {
  let before: readonly SeenMessage[] = [];
  return requests
    .filter(({ isSide }) => !isSide)
    .map(({ messages }) => {
      const known = messages.findIndex(
        ({ role, text: said }, at) => before[at]?.text !== said || before[at]?.role !== role,
      );
      before = messages;
      return known < 0 ? [] : messages.slice(known);
    });
}
