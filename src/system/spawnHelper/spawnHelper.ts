import type { ChildProcess } from 'node:child_process';
import { constants as fileConstants } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { ChildSpec } from '../childStarter.ts';
import { ownProgram } from '../ownPath.ts';
import { FrameReader, type ReadFrame } from './frameReader.ts';
import { environmentFrame, frame } from './frames.ts';

/** Perl is ready in 5 ms; where it takes a thousand times as long something is wrong with it. */
const DEFAULT_ANSWER_MS = 5000;
const KEPT_COMPLAINT = 300;

export interface SpawnHelperOptions {
  readonly script: string;
  /** Where perl is looked for. */
  readonly path: string | undefined;
  /** How long it may take to be ready, or to answer when in doubt; 5 s unless told. */
  readonly answerMs?: number;
  onFrame(frame: ReadFrame): void;
  /** Called once when it cannot be used any longer, with a clause that says why; not after `retire`. */
  onBroken(why: string): void;
}

/**
 * The helper as a process: it is there, says frames, and breaks at most once.
 *
 * launched → in use: from the first command on; what is asked before it said `H` waits in its pipe
 * in use → condemned (speaks nonsense, does not answer): killed, which is its death
 * in use or condemned → broken: it died, or never was; told once, after all that it said before
 * in use → retired: its stdin is closed, upon which it ends what it started, and itself; nothing is told
 *
 * It keeps this process alive only while it is held.
 */
export class SpawnHelper {
  readonly #options: SpawnHelperOptions;
  readonly #child: ChildProcess;
  readonly #pipes: readonly Socket[];
  #environment: ChildSpec['env'];
  /** What waits for the end of the current step. */
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
    // where no more files can be opened there are none, whatever the types say
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

  /** What is sent in one go is written in one go: each write wakes the helper, which then takes this processor. */
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
    // a copy where the caller's may change; one that cannot is known again at once
    this.#environment = Object.isFrozen(environment) ? environment : { ...environment };
  }

  /** While it is held, the event loop does not end. */
  hold(isHeld: boolean): void {
    const word = isHeld ? 'ref' : 'unref';
    this.#child[word]();
    for (const pipe of this.#pipes) pipe[word]();
  }

  /** It is broken unless it answers soon. What it says otherwise proves nothing: that may be old. */
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
    const reader = new FrameReader((said) => {
      if (said.type === 'H' || (said.type === 'A' && said.command === this.#questions)) this.#answered();
      if (!this.#isOver) this.#options.onFrame(said);
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#condemnedFor === undefined && !reader.push(chunk)) this.#condemn('it said something that is no frame');
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#complaint = `${this.#complaint}${chunk}`.slice(0, KEPT_COMPLAINT);
    });
    for (const pipe of this.#pipes) pipe.on('error', () => {});
    this.#child.once('error', (error) => this.#broke(error.message));
    // not `exit`: what it said before it died is still in the pipe
    this.#child.once('close', (code, signal) => this.#broke(this.#condemnedFor ?? this.#howItEnded(code, signal)));
  }

  #howItEnded(code: number | null, signal: string | null): string {
    const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    return this.#complaint ? `${how}: ${this.#complaint.trim().split('\n', 1)}` : how;
  }

  #expectAnswer(): void {
    this.#answered();
    const { answerMs = DEFAULT_ANSWER_MS } = this.#options;
    // where this process itself was busy for so long, the answer is there and only has to be read: hence the immediate
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

/** A session of its own keeps the terminal's Ctrl-C away from it. The numbers differ between systems, and Node knows them. */
function launch(script: string, env: ChildSpec['env']): ChildProcess {
  const args = [script, String(fileConstants.O_NONBLOCK), String(constants.errno.EAGAIN)];
  return process
    .getBuiltinModule('node:child_process')
    .spawn(ownProgram('perl', env.PATH, process.cwd()), args, { cwd: '/', env, detached: true, stdio: 'pipe' });
}
