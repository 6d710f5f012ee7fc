import type { ChildExit, ChildStarter, StartedChild } from './childStarter.ts';
import { type Clock, callAfter } from './clock.ts';
import type { ProcessEnd, ProcessSpec, RunningProcess } from './processes.ts';
import { signalGroup } from './processGroup.ts';
import { StreamOutput } from './streamOutput.ts';
import { whyNotStarted } from './whyNotStarted.ts';

/** Timers of Node fire at once when asked for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_GRACE_MS = 2000;

/**
 * One command in a process group of its own.
 *
 * running → ended by itself: its exit code or signal is the end; children that it left behind live on.
 * running → told to end (time, abort): SIGTERM to the group, SIGKILL after the grace. Whatever the leader then says,
 *           the end is the reason it was told, and what is left of the group is killed with it. A group that is not
 *           there yet gets its signal as soon as it is.
 */
export class ChildGroup implements RunningProcess {
  pid: number | undefined;
  /** Known when it ended. */
  mayHaveLeftOthers = false;
  readonly ended: Promise<ProcessEnd>;
  readonly #spec: ProcessSpec;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #child: StartedChild;
  readonly #stdout: StreamOutput;
  readonly #stderr: StreamOutput;
  /** What calls off the timer that runs: its time, then its grace. */
  #callOff = () => {};
  #isOver = false;
  #toldToEnd: 'timedOut' | 'aborted' | undefined;
  #lastSignal: 'SIGTERM' | 'SIGKILL' | undefined;

  constructor(spec: ProcessSpec, clock: Clock, starter: ChildStarter) {
    this.#spec = spec;
    this.#clock = clock;
    this.#startedAt = clock.now();
    const { maxOutputBytes, onOutput } = spec;
    this.#stdout = new StreamOutput(maxOutputBytes, onOutput && ((text) => onOutput('stdout', text)));
    this.#stderr = new StreamOutput(maxOutputBytes, onOutput && ((text) => onOutput('stderr', text)));
    const exit = Promise.withResolvers<ChildExit>();
    this.#child = starter.start(spec, {
      started: (pid) => this.#started(pid),
      output: (stream, chunk) => (stream === 'stdout' ? this.#stdout : this.#stderr).push(chunk),
      ended: (how) => {
        // from here on the number may be somebody else's
        this.#isOver = true;
        this.#callOff();
        if (how.type === 'gone') this.mayHaveLeftOthers = how.mayHaveLeftOthers;
        exit.resolve(how);
      },
    });
    this.ended = this.#watch(exit.promise);
  }

  /** Politely, then not; `ended` tells when. A second call changes nothing. */
  end(reason: 'timedOut' | 'aborted'): void {
    if (this.#toldToEnd || this.#isOver) return;
    this.#toldToEnd = reason;
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
    if (this.#toldToEnd) this.#signal('SIGKILL');
    await this.#child.letGo();
    if (exit.type === 'notStarted') {
      return { type: 'notStarted', error: whyNotStarted(exit.error, this.#spec), code: exit.error.code };
    }
    const [stdout, stderr] = [this.#stdout.read(), this.#stderr.read()];
    const droppedBytes = stdout.droppedBytes + stderr.droppedBytes;
    const durationMs = this.#clock.now() - this.#startedAt;
    return { ...this.#kindOfEnd(exit), stdout: stdout.text, stderr: stderr.text, droppedBytes, durationMs };
  }

  #kindOfEnd(exit: Extract<ChildExit, { type: 'gone' }>) {
    if (this.#toldToEnd) return { type: this.#toldToEnd };
    if (exit.signal !== null) return { type: 'signalled' as const, signal: exit.signal };
    return { type: 'exited' as const, code: exit.code ?? 1 };
  }

  #after(ms: number, act: () => void): void {
    this.#callOff();
    if (this.#isOver) return;
    this.#callOff = callAfter(this.#clock, Math.min(ms, LONGEST_TIMER_MS), act);
  }
}
