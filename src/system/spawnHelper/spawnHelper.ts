import type { ChildProcess } from 'node:child_process';
import { constants as fileConstants } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { ChildSpec } from '../childStarter.ts';
import { folderOrItsPlace } from '../currentFolder.ts';
import { ownProgram } from '../ownPath.ts';
import { FrameReader, type ReadFrame } from './frameReader.ts';
import { environmentFrame, frame } from './frames.ts';

/** Perl is ready in 5 ms; this is a thousand times as long. */
const DEFAULT_ANSWER_MS = 5000;
const KEPT_COMPLAINT = 300;

export interface SpawnHelperOptions {
  readonly script: string;
  /** The search path for perl. */
  readonly path: string | undefined;
  /** The time to become ready, or to answer `doubt`; default: 5 s. */
  readonly answerMs?: number;
  onFrame(frame: ReadFrame): void;
  /** Called once when it can no longer be used, with the reason as a clause; not after `retire`. */
  onBroken(why: string): void;
}

/**
 * The helper as a process, which breaks at most once.
 *
 * launched → in use: from the first command on; what is sent before its `H` waits in its pipe
 * in use → condemned (invalid frame, no answer): killed
 * in use or condemned → broken: it died, or could not start; reported once, after all its frames
 * in use → retired: its stdin is closed, so it ends its commands and itself; not reported
 *
 * It keeps this process alive only while it is held.
 */
export class SpawnHelper {
  readonly #options: SpawnHelperOptions;
  readonly #child: ChildProcess;
  readonly #pipes: readonly Socket[];
  #environment: ChildSpec['env'];
  /** Waits for the end of the current microtask. */
  readonly #outgoing: Buffer[] = [];
  #questions = 0;
  #isOver = false;
  #complaint = '';
  #condemnedFor: string | undefined;
  #answerIsDue: NodeJS.Timeout | undefined;

  constructor(options: SpawnHelperOptions) {
    this.#options = options;
    this.#environment = options.path === undefined ? {} : { PATH: options.path };
    this.#child = launch(options.script, this.#environment);
    const { stdin, stdout, stderr } = this.#child;
    // despite the types, there are none when too many files are open
    this.#pipes = [stdin, stdout, stderr].filter(
      (pipe): pipe is Socket => pipe instanceof process.getBuiltinModule('node:net').Socket,
    );
    this.hold(false);
    this.#listen();
    this.#expectAnswer();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Batched, because each write wakes the helper, which then takes this processor. */
  send(bytes: Buffer): void {
    this.#outgoing.push(bytes);
    if (this.#outgoing.length === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const bytes = this.#outgoing.length === 1 ? this.#outgoing[0] : Buffer.concat(this.#outgoing);
    this.#outgoing.length = 0;
    if (!this.#isOver && bytes) this.#child.stdin?.write(bytes);
  }

  /** Every command from now on gets this environment. */
  useEnvironment(environment: ChildSpec['env']): void {
    if (environment === this.#environment) return;
    const change = environmentFrame(this.#environment, environment);
    if (change) this.send(change);
    // a frozen one is recognized by identity; any other may change, so it is copied
    this.#environment = Object.isFrozen(environment) ? environment : { ...environment };
  }

  /** While held, it keeps the event loop alive. */
  hold(isHeld: boolean): void {
    const word = isHeld ? 'ref' : 'unref';
    this.#child[word]();
    for (const pipe of this.#pipes) pipe[word]();
  }

  /** It is broken unless it answers soon. Other frames prove nothing, because they may be old. */
  doubt(): void {
    this.#questions = (this.#questions + 1) % 2 ** 32;
    this.send(frame('Q', this.#questions, Buffer.alloc(0)));
    this.#expectAnswer();
  }

  retire(): void {
    this.#end();
    this.#child.stdin?.end();
  }

  #listen(): void {
    const reader = new FrameReader((received) => {
      const { type, command } = received;
      if (type === 'H' || (type === 'A' && command === this.#questions)) this.#answered();
      if (!this.#isOver) this.#options.onFrame(received);
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#condemnedFor === undefined && !reader.push(chunk)) this.#condemn('it sent an invalid frame');
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#complaint = `${this.#complaint}${chunk}`.slice(0, KEPT_COMPLAINT);
    });
    for (const pipe of this.#pipes) pipe.on('error', () => {});
    this.#child.once('error', (error) => this.#broke(error.message));
    // not `exit`: its last frames may still be in the pipe
    this.#child.once('close', (code, signal) => this.#broke(this.#condemnedFor ?? this.#howItEnded(code, signal)));
  }

  #howItEnded(code: number | null, signal: string | null): string {
    const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    return this.#complaint ? `${how}: ${this.#complaint.trim().split('\n', 1)}` : how;
  }

  #expectAnswer(): void {
    this.#answered();
    const { answerMs = DEFAULT_ANSWER_MS } = this.#options;
    // the immediate: if this process was busy, the answer has arrived but was not read yet
    const due = setTimeout(() => {
      setImmediate(() => {
        if (this.#answerIsDue === due) this.#condemn('it does not answer');
      });
    }, answerMs);
    this.#answerIsDue = due.unref();
  }

  #answered(): void {
    clearTimeout(this.#answerIsDue);
    this.#answerIsDue = undefined;
  }

  #condemn(why: string): void {
    this.#condemnedFor = why;
    this.#child.kill('SIGKILL');
  }

  #broke(why: string): void {
    if (this.#isOver) return;
    this.#end();
    this.#options.onBroken(why);
  }

  #end(): void {
    this.#isOver = true;
    this.#answered();
    this.hold(false);
  }
}

/** In its own session, so that Ctrl-C does not reach it. Perl gets numbers that differ between systems from Node. */
function launch(script: string, env: ChildSpec['env']): ChildProcess {
  const args = [script, String(fileConstants.O_NONBLOCK), String(constants.errno.EAGAIN)];
  return process
    .getBuiltinModule('node:child_process')
    .spawn(ownProgram('perl', env.PATH, folderOrItsPlace(process.env)), args, {
      cwd: '/',
      env,
      detached: true,
      stdio: 'pipe',
    });
}
