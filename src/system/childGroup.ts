import { StringDecoder } from 'node:string_decoder';
import { BoundedBytes } from './boundedBytes.ts';
import type { ChildExit, ChildStarter, StartedChild } from './childStarter.ts';
import { type Clock, callAfter } from './clock.ts';
import type { ProcessEnd, ProcessSpec, RunningProcess } from './processes.ts';
import { signalGroup } from './processGroup.ts';
import { whyNotStarted } from './whyNotStarted.ts';

type Stream = 'stdout' | 'stderr';

/** Node fires longer timers immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_GRACE_MS = 2000;

/**
 * One command in its own process group.
 *
 * running → ended by itself: the result is its exit code or signal; children that it left behind keep running.
 * running → ended by us (timeout, abort): SIGTERM to the group, SIGKILL after the grace period. The result is our reason,
 *           whatever its exit code, and the rest of the group is killed. A group that does not exist yet is signaled once
 *           it does.
 */
export class ChildGroup implements RunningProcess {
  pid: number | undefined;
  /** Set when it has ended. */
  mayHaveLeftOthers = false;
  readonly ended: Promise<ProcessEnd>;
  readonly #spec: ProcessSpec;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #child: StartedChild;
  readonly #kept: Readonly<Record<Stream, BoundedBytes>>;
  /** Cancels the running timer: the timeout, then the grace period. */
  #cancelTimer = () => {};
  #isOver = false;
  #endReason: 'timedOut' | 'aborted' | undefined;
  #lastSignal: 'SIGTERM' | 'SIGKILL' | undefined;

  constructor(spec: ProcessSpec, clock: Clock, starter: ChildStarter) {
    this.#spec = spec;
    this.#clock = clock;
    this.#startedAt = clock.now();
    const { maxOutputBytes, onOutput } = spec;
    this.#kept = { stdout: new BoundedBytes(maxOutputBytes), stderr: new BoundedBytes(maxOutputBytes) };
    const passOn = onOutput && decoding(onOutput);
    const exit = Promise.withResolvers<ChildExit>();
    this.#child = starter.start(spec, {
      started: (pid) => this.#started(pid),
      output: (stream, chunk) => {
        this.#kept[stream].push(chunk);
        passOn?.(stream, chunk);
      },
      ended: (how) => {
        // from here on the pid may be reused
        this.#isOver = true;
        this.#cancelTimer();
        if (how.type === 'gone') this.mayHaveLeftOthers = how.mayHaveLeftOthers;
        exit.resolve(how);
      },
    });
    this.ended = this.#watch(exit.promise);
  }

  /** By SIGTERM, then SIGKILL; await `ended`. A second call does nothing. */
  end(reason: 'timedOut' | 'aborted'): void {
    if (this.#endReason || this.#isOver) return;
    this.#endReason = reason;
    this.#signal('SIGTERM');
    this.#after(this.#spec.graceMs ?? DEFAULT_GRACE_MS, () => {
      this.#signal('SIGKILL');
      this.#child.doubt();
    });
  }

  #started(pid: number): void {
    this.pid = pid;
    if (this.#lastSignal) signalGroup(pid, this.#lastSignal);
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#lastSignal = signal;
    if (this.pid !== undefined) signalGroup(this.pid, signal);
  }

  async #watch(exited: Promise<ChildExit>): Promise<ProcessEnd> {
    const abort = () => this.end('aborted');
    this.#spec.signal?.addEventListener('abort', abort, { once: true });
    if (this.#spec.timeoutMs !== undefined) this.#after(this.#spec.timeoutMs, () => this.end('timedOut'));
    const exit = await exited;
    this.#spec.signal?.removeEventListener('abort', abort);
    if (this.#endReason) this.#signal('SIGKILL');
    await this.#child.release();
    if (exit.type === 'notStarted') {
      return { type: 'notStarted', error: whyNotStarted(exit.error, this.#spec), code: exit.error.code };
    }
    const [stdout, stderr] = [this.#kept.stdout.read(), this.#kept.stderr.read()];
    const droppedBytes = stdout.droppedBytes + stderr.droppedBytes;
    const durationMs = this.#clock.now() - this.#startedAt;
    return { ...this.#kindOfEnd(exit), stdout: stdout.text, stderr: stderr.text, droppedBytes, durationMs };
  }

  #kindOfEnd(exit: Extract<ChildExit, { type: 'gone' }>) {
    if (this.#endReason) return { type: this.#endReason };
    if (exit.signal !== null) return { type: 'signalled' as const, signal: exit.signal };
    return { type: 'exited' as const, code: exit.code ?? 1 };
  }

  #after(ms: number, act: () => void): void {
    this.#cancelTimer();
    if (this.#isOver) return;
    this.#cancelTimer = callAfter(this.#clock, Math.min(ms, LONGEST_TIMER_MS), act);
  }
}

/** Decodes both streams; a chunk may end in the middle of a character. */
function decoding(onOutput: NonNullable<ProcessSpec['onOutput']>): (stream: Stream, chunk: Buffer) => void {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  return (stream, chunk) => {
    const text = decoders[stream].write(chunk);
    if (text) onOutput(stream, text);
  };
}
