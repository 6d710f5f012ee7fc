import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ModelServer, startModelServer } from '../../src/testing/modelServer.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { COMPILED_CODE } from './compiledCode.ts';

export const BIN = path.join(import.meta.dirname, '../../bin/stopgate.js');

/**
 * Most commands of tests are over in a tenth of a second: with room for all that they make, and without threads that collect it,
 * they take a tenth to a fifth less of a processor.
 */
export const BRIEF_NODE: readonly string[] = ['--min-semi-space-size=16', '--v8-pool-size=1'];

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON lines. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly lines: any[];
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandEnd>;
  /** Resolves when stdout or stderr holds the text. */
  sees(text: string): Promise<void>;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Leaves stdin open for the test to write to; `input` must be given and is not written. */
  readonly keepsInput?: boolean;
  readonly nodeArgs?: readonly string[];
  /** The project's folder unless given. */
  readonly cwd?: string;
}

/** A folder with a home of its own and a model server: the built command runs in it as a user would run it. */
export interface TestProject extends AsyncDisposable {
  readonly dir: string;
  readonly home: string;
  readonly server: ModelServer;
  start(args: readonly string[], options?: CommandOptions): RunningCommand;
  run(args: readonly string[], options?: CommandOptions): Promise<CommandEnd>;
  write(file: string, text: string): string;
  read(file: string): string;
  /** Resolves when the file is there. */
  sees(file: string): Promise<void>;
  /** All files below the home's transcripts. */
  transcripts(): string[];
}

export async function testProject(
  answer: Parameters<typeof startModelServer>[0] = () => undefined,
): Promise<TestProject> {
  const folder = await tempFolder();
  const server = await startModelServer(answer);
  const dir = path.join(folder.path, 'project');
  const home = path.join(folder.path, 'home');
  mkdirSync(dir);
  mkdirSync(home);
  const started: ChildProcess[] = [];
  const start = (args: readonly string[], options: CommandOptions = {}) => {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      ANTHROPIC_API_KEY: 'dummy',
      ANTHROPIC_BASE_URL: server.url,
      ...COMPILED_CODE,
      ...options.env,
    };
    const stdin = options.input === undefined ? 'ignore' : 'pipe';
    const child = spawn(process.execPath, [...BRIEF_NODE, ...(options.nodeArgs ?? []), BIN, ...args], {
      cwd: options.cwd ?? dir,
      env,
      stdio: [stdin, 'pipe', 'pipe'],
    });
    started.push(child);
    // one that is killed on purpose reads no more
    child.stdin?.on('error', () => {});
    if (options.keepsInput !== true) child.stdin?.end(options.input);
    return follow(child);
  };
  const transcriptsDir = path.join(home, '.stopgate/projects');
  return {
    dir,
    home,
    server,
    start,
    run: (args, options) => start(args, options).ended,
    write: (file, text) => {
      const target = path.join(dir, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
      return target;
    },
    read: (file) => readFileSync(path.join(dir, file), 'utf8'),
    sees: async (file) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => existsSync(path.join(dir, file)) && resolve();
      const watcher = watch(dir, look);
      look();
      await promise.finally(() => watcher.close());
    },
    transcripts: () =>
      readdirSync(transcriptsDir, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => path.join(transcriptsDir, name)),
    [Symbol.asyncDispose]: async () => {
      for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function follow(child: ChildProcess): RunningCommand {
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const notice = () => {
    for (const watcher of watchers) watcher();
  };
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
    notice();
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
    notice();
  });
  const ended = once(child, 'close').then(([code, signal]): CommandEnd => {
    notice();
    return { code, signal, stdout, stderr, lines: jsonLines(stdout) };
  });
  return {
    child,
    ended,
    sees: (text) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = () => {
        if (stdout.includes(text) || stderr.includes(text)) resolve();
      };
      watchers.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without saying ${text}:\n${stdout}\n${stderr}`)));
      return promise.finally(() => watchers.delete(look));
    },
  };
}

function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** True while a process with this id runs; one that is dead but not yet collected by init does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
