import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { drain, PipeOutput } from './pipeOutput.ts';
import type { ProcessEnd, ProcessSpec, RunningProcess } from './processes.ts';
import { signalGroup } from './processGroup.ts';

/** Timers of Node fire at once when asked for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_GRACE_MS = 2000;

type Exit =
  | { type: 'gone'; code: number | null; signal: string | null }
  | { type: 'notStarted'; error: NodeJS.ErrnoException };

/**
 * One command in a process group of its own.
 *
 * running → ended by itself: its exit code or signal is the end; children that it left behind live on.
 * running → told to end (time, abort): SIGTERM to the group, SIGKILL after the grace. Whatever the leader then says,
 *           the end is the reason it was told, and what is left of the group is killed with it.
 */
export class ChildGroup implements RunningProcess {
  readonly pid: number | undefined;
  readonly ended: Promise<ProcessEnd>;
  readonly #spec: ProcessSpec;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #toldToEnd: 'timedOut' | 'aborted' | undefined;

  constructor(spec: ProcessSpec, clock: Clock) {
    this.#spec = spec;
    this.#clock = clock;
    const child = startChild(spec);
    this.pid = child instanceof Error ? undefined : child.pid;
    this.ended = child instanceof Error ? Promise.resolve(notStarted(child, spec)) : this.#watch(child);
  }

  /** Politely, then not; `ended` tells when. A second call changes nothing. */
  end(reason: 'timedOut' | 'aborted'): void {
    if (this.#toldToEnd || this.#over.signal.aborted || this.pid === undefined) return;
    const { pid } = this;
    this.#toldToEnd = reason;
    signalGroup(pid, 'SIGTERM');
    this.#after(this.#spec.graceMs ?? DEFAULT_GRACE_MS, () => signalGroup(pid, 'SIGKILL'));
  }

  async #watch(child: ChildProcess): Promise<ProcessEnd> {
    const startedAt = this.#clock.now();
    const { maxOutputBytes, onOutput } = this.#spec;
    const collect = (name: 'stdout' | 'stderr') => {
      const pipe = child[name];
      return pipe ? new PipeOutput(pipe, maxOutputBytes, onOutput && ((text) => onOutput(name, text))) : undefined;
    };
    const outputs = { stdout: collect('stdout'), stderr: collect('stderr') };
    const exit = await this.#exitOf(child);
    if (this.pid !== undefined && this.#toldToEnd) signalGroup(this.pid, 'SIGKILL');
    const pipes = [outputs.stdout, outputs.stderr].filter((output) => output !== undefined);
    await drain(pipes);
    for (const pipe of pipes) pipe.close();
    child.stdin?.destroy();
    if (exit.type === 'notStarted') return notStarted(exit.error, this.#spec);
    const nothing = { text: '', droppedBytes: 0 };
    const [stdout, stderr] = [outputs.stdout?.read() ?? nothing, outputs.stderr?.read() ?? nothing];
    const droppedBytes = stdout.droppedBytes + stderr.droppedBytes;
    const durationMs = this.#clock.now() - startedAt;
    return { ...this.#kindOfEnd(exit), stdout: stdout.text, stderr: stderr.text, droppedBytes, durationMs };
  }

  async #exitOf(child: ChildProcess): Promise<Exit> {
    const abort = () => this.end('aborted');
    this.#spec.signal?.addEventListener('abort', abort, { once: true });
    if (this.#spec.timeoutMs !== undefined) this.#after(this.#spec.timeoutMs, () => this.end('timedOut'));
    const exit = await new Promise<Exit>((resolve) => {
      child.once('error', (error) => resolve({ type: 'notStarted', error }));
      child.once('exit', (code, signal) => resolve({ type: 'gone', code, signal }));
      // closing a pipe that nobody read is the child's right
      child.stdin?.on('error', () => {});
      child.stdin?.end(this.#spec.input);
    });
    this.#over.abort();
    this.#spec.signal?.removeEventListener('abort', abort);
    return exit;
  }

  #kindOfEnd(exit: Extract<Exit, { type: 'gone' }>) {
    if (this.#toldToEnd) return { type: this.#toldToEnd };
    if (exit.signal !== null) return { type: 'signalled' as const, signal: exit.signal };
    return { type: 'exited' as const, code: exit.code ?? 1 };
  }

  #after(ms: number, act: () => void): void {
    const { signal } = this.#over;
    void this.#clock.sleep(Math.min(ms, LONGEST_TIMER_MS), signal).then(() => {
      if (!signal.aborted) act();
    });
  }
}

function startChild(spec: ProcessSpec): ChildProcess | NodeJS.ErrnoException {
  try {
    return spawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      detached: true,
      stdio: [spec.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    // some failures (an argument that is too long) are thrown, others are events
    return error instanceof Error ? error : new Error(String(error));
  }
}

function notStarted(error: NodeJS.ErrnoException, spec: ProcessSpec): ProcessEnd {
  return { type: 'notStarted', error: `Could not start ${spec.file}: ${whyNot(error, spec)}.` };
}

function whyNot(error: NodeJS.ErrnoException, { cwd }: ProcessSpec): string {
  // a missing directory is reported as if the executable were missing
  const directory = statSync(cwd, { throwIfNoEntry: false });
  if (!directory) return `the directory ${cwd} does not exist`;
  if (!directory.isDirectory()) return `${cwd} is not a directory`;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such executable',
    EACCES: 'it is not executable, or its directory may not be entered',
    E2BIG: 'its arguments are too long',
    EAGAIN: 'the system allows no more processes',
    EMFILE: 'too many files are open',
  };
  return known[error.code ?? ''] ?? error.message;
}
