import { type ChildProcess, spawn } from 'node:child_process';
import { constants as fileConstants } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { ChildSpec } from '../childStarter.ts';
import { FrameReader, type ReadFrame } from './frameReader.ts';
import { environmentFrame, frame } from './frames.ts';

/** Perl is ready in 5 ms; a machine that needs a thousand times as long has no use for a helper. */
const ANSWER_MS = 5000;
const KEPT_COMPLAINT = 300;

export interface SpawnHelperOptions {
  readonly script: string;
  /** Where perl is looked for. */
  readonly path: string | undefined;
  onFrame(frame: ReadFrame): void;
  /** Called once when it cannot be used any longer, with a clause that says why; not after `retire`. */
  onBroken(why: string): void;
}

/**
 * The helper as a process: it is there, says frames, and breaks at most once.
 *
 * launched → said `H`: all that is asked for is done
 * launched or ready → broken (never started, died, spoke nonsense, does not answer): killed, and nothing is heard again
 * ready → retired: its stdin is closed, upon which it ends what it started, and itself
 *
 * It keeps this process alive only while it is `held`.
 */
export class SpawnHelper {
  readonly #options: SpawnHelperOptions;
  readonly #child: ChildProcess;
  readonly #pipes: readonly Socket[];
  #environment: ChildSpec['env'];
  #isOver = false;
  #complaint = '';
  #awaitsAnswer: NodeJS.Timeout | undefined;

  constructor(options: SpawnHelperOptions) {
    this.#options = options;
    this.#environment = options.path === undefined ? {} : { PATH: options.path };
    this.#child = launch(options.script, this.#environment);
    const { stdin, stdout, stderr } = this.#child;
    // where no more files can be opened there are none, whatever the types say
    this.#pipes = [stdin, stdout, stderr].filter((pipe) => pipe instanceof Socket);
    this.hold(false);
    this.#listen();
    this.#expectAnswer();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(bytes: Buffer): void {
    if (!this.#isOver) this.#child.stdin?.write(bytes);
  }

  /** Every command from now on gets this environment. */
  useEnvironment(environment: ChildSpec['env']): void {
    const change = environmentFrame(this.#environment, environment);
    if (!change) return;
    this.send(change);
    // a copy, because the caller's may change
    this.#environment = { ...environment };
  }

  /** While it is held, the event loop does not end. */
  hold(isHeld: boolean): void {
    const word = isHeld ? 'ref' : 'unref';
    this.#child[word]();
    for (const pipe of this.#pipes) pipe[word]();
  }

  /** It is broken unless it says something soon. */
  doubt(): void {
    this.send(frame('Q', 0, Buffer.alloc(0)));
    this.#expectAnswer();
  }

  retire(): void {
    this.#end();
    this.#child.stdin?.end();
  }

  #listen(): void {
    const reader = new FrameReader((said) => {
      if (!this.#isOver) this.#options.onFrame(said);
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      clearTimeout(this.#awaitsAnswer);
      if (!reader.push(chunk)) this.break('it said something that is not a frame');
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#complaint = `${this.#complaint}${chunk}`.slice(0, KEPT_COMPLAINT);
    });
    for (const pipe of this.#pipes) pipe.on('error', () => {});
    this.#child.once('error', (error) => this.break(error.message));
    // not `exit`: what it said before it died is still in the pipe
    this.#child.once('close', (code, signal) => this.break(this.#howItEnded(code, signal)));
  }

  #howItEnded(code: number | null, signal: string | null): string {
    const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    return this.#complaint ? `${how}: ${this.#complaint.trim().split('\n', 1)}` : how;
  }

  #expectAnswer(): void {
    clearTimeout(this.#awaitsAnswer);
    this.#awaitsAnswer = setTimeout(() => this.break('it does not answer'), ANSWER_MS).unref();
  }

  break(why: string): void {
    if (this.#isOver) return;
    this.#end();
    this.#child.kill('SIGKILL');
    this.#options.onBroken(why);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#awaitsAnswer);
    this.hold(false);
  }
}

/** A session of its own keeps the terminal's Ctrl-C away from it. The numbers differ between systems, and Node knows them. */
function launch(script: string, env: ChildSpec['env']): ChildProcess {
  const args = [script, String(fileConstants.O_NONBLOCK), String(constants.errno.EAGAIN)];
  return spawn('perl', args, { cwd: '/', env, detached: true, stdio: 'pipe' });
}
