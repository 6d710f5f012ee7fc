import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import type { ChildExit, ChildListener, ChildSpec, ChildStarter, StartedChild } from '../childStarter.ts';
import { ownValue } from '../ownValue.ts';
import { plainStarter } from '../plainStarter.ts';
import { leadersOfSession, signalGroup } from '../processGroup.ts';
import type { ReadFrame } from './frameReader.ts';
import { canTravel, type InputSource, inputFrame, inputSource, runFrame } from './frames.ts';
import { SpawnHelper, type SpawnHelperOptions } from './spawnHelper.ts';

export interface HelperStarterOptions extends Pick<SpawnHelperOptions, 'script' | 'path' | 'answerMs'> {
  /** Called once, with a sentence, when the helper can no longer be used. */
  onFallback(sentence: string): void;
}

/** A command that was sent to the helper and has not ended yet. */
interface HelperCommand {
  readonly spec: ChildSpec;
  readonly listener: ChildListener;
  readonly input: InputSource;
  pid?: number;
  /** Set when the helper broke before it started the command. */
  plain?: StartedChild;
}

/** Frames that a command's listener hears of. */
const NEWS: Readonly<Record<string, (command: HelperCommand, payload: Buffer) => void>> = {
  P: (command, payload) => {
    command.pid = payload.readUInt32BE(0);
    command.listener.started(command.pid);
  },
  O: ({ listener }, payload) => listener.output('stdout', payload),
  S: ({ listener }, payload) => listener.output('stderr', payload),
};

/** Frames that end a command. */
const ENDS: Readonly<Record<string, (payload: Buffer) => ChildExit>> = {
  X: (payload) => gone(payload.readUInt32BE(0), false),
  L: (payload) => gone(payload.readUInt32BE(0), true),
  F: (payload) => {
    const code = getSystemErrorName(-payload.readUInt32BE(0));
    return { type: 'notStarted', error: Object.assign(new Error(code), { code }) };
  },
};

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

function gone(status: number, mayHaveLeftOthers: boolean): ChildExit {
  const signal = status & 127;
  if (signal === 0) return { type: 'gone', code: status >> 8, signal: null, mayHaveLeftOthers };
  return { type: 'gone', code: null, signal: SIGNAL_NAMES.get(signal) ?? `signal ${signal}`, mayHaveLeftOthers };
}

/** Other systems cannot wait for a descriptor above 1024, and a command takes three. */
const MOST_COMMANDS = process.platform === 'linux' ? 4096 : 256;

/**
 * Starts commands from a small process, which forks fast however large this one is.
 *
 * Until the helper is ready, commands wait in its pipe. If it breaks before that, a plain spawn starts them; if it breaks
 * later, its commands are ended with a reason, because their end could no longer be seen. From then on every command is a
 * plain spawn.
 */
export class HelperStarter implements ChildStarter {
  readonly #options: HelperStarterOptions;
  readonly #commands = new Map<number, HelperCommand>();
  #helper: SpawnHelper | undefined;
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #isBroken = false;
  #lastId = 0;

  constructor(options: HelperStarterOptions) {
    this.#options = options;
  }

  start(spec: ChildSpec, listener: ChildListener): StartedChild {
    const helper = canTravel(spec) && this.#commands.size < MOST_COMMANDS ? this.#launched() : undefined;
    if (!helper) return plainStarter.start(spec, listener);
    const command: HelperCommand = { spec, listener, input: inputSource(spec.input) };
    this.#lastId = (this.#lastId + 1) % 2 ** 32;
    this.#commands.set(this.#lastId, command);
    if (this.#commands.size === 1) helper.hold(true);
    helper.useEnvironment(spec.env);
    helper.send(runFrame(this.#lastId, spec, command.input));
    return {
      // the helper sends all output before the end
      release: async () => command.plain?.release(),
      doubt: () => (command.plain ?? helper).doubt(),
    };
  }

  /** Launches the helper; resolves when it is ready or broken, and keeps this process alive until then. */
  warm(): Promise<void> {
    const helper = this.#launched();
    if (!this.#isReady) helper?.hold(true);
    return this.#ready.promise;
  }

  /** Ends the helper unless a command is running; the next command launches another one. */
  retire(): void {
    if (this.#commands.size > 0 || this.#isBroken) return;
    this.#helper?.retire();
    this.#helper = undefined;
    this.#isReady = false;
    this.#ready.resolve();
    this.#ready = Promise.withResolvers();
  }

  #launched(): SpawnHelper | undefined {
    if (this.#isBroken || this.#helper) return this.#helper;
    const onFrame = (frame: ReadFrame) => this.#received(frame);
    const onBroken = (why: string) => this.#broke(why);
    try {
      this.#helper = new SpawnHelper({ ...this.#options, onFrame, onBroken });
    } catch (error) {
      // most failures to spawn are events, but not a lack of memory
      this.#broke(error instanceof Error ? error.message : String(error));
    }
    return this.#helper;
  }

  #received({ type, command: id, payload }: ReadFrame): void {
    if (type === 'H') this.#becameReady();
    // the number of an answer is not that of a command
    const command = type === 'A' ? undefined : this.#commands.get(id);
    if (!command) return;
    if (type === 'W') void this.#sendMore(id, command);
    ownValue(NEWS, type)?.(command, payload);
    const end = ownValue(ENDS, type)?.(payload);
    if (!end) return;
    this.#commands.delete(id);
    if (this.#commands.size === 0) this.#helper?.hold(false);
    command.input.close();
    command.listener.ended(end);
  }

  /** A stream may be slow, and the command may have ended meanwhile. */
  async #sendMore(id: number, command: HelperCommand): Promise<void> {
    const more = command.input.next();
    const piece = more instanceof Promise ? await more : more;
    if (this.#commands.get(id) === command) this.#helper?.send(inputFrame(id, piece));
  }

  #becameReady(): void {
    this.#isReady = true;
    if (this.#commands.size === 0) this.#helper?.hold(false);
    this.#ready.resolve();
  }

  #broke(why: string): void {
    const session = this.#helper?.pid;
    const commands = [...this.#commands.values()];
    this.#commands.clear();
    this.#helper = undefined;
    this.#isBroken = true;
    this.#ready.resolve();
    const what = this.#isReady ? `is gone (${why})` : `could not be started (${why})`;
    if (this.#isReady) endStranded(commands, session, `the spawn helper ${what}`);
    // before it was ready, it started none of these
    else for (const command of commands) command.plain = plainStarter.start(command.spec, command.listener);
    this.#options.onFallback(`The spawn helper ${what}; commands are started without it, slower as memory grows.`);
  }
}

/**
 * Ends what a broken helper ran, because its output and its end can no longer be read. A command whose pid the helper did
 * not report is found by its session.
 */
function endStranded(commands: readonly HelperCommand[], session: number | undefined, reason: string): void {
  for (const { pid } of commands) if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  const hasUnknown = commands.some(({ pid }) => pid === undefined);
  if (hasUnknown && session !== undefined)
    for (const leader of leadersOfSession(session)) signalGroup(leader, 'SIGKILL');
  for (const { pid, listener } of commands) {
    if (pid === undefined) {
      listener.ended({ type: 'notStarted', error: new Error(`${reason}, perhaps while it started this`) });
      continue;
    }
    listener.output('stderr', Buffer.from(`\n[Stopgate ended this command: ${reason}.]\n`));
    listener.ended({ type: 'gone', code: null, signal: 'SIGKILL', mayHaveLeftOthers: true });
  }
}
