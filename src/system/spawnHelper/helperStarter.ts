import type { ChildListener, ChildSpec, ChildStarter, StartedChild } from '../childStarter.ts';
import { plainStarter } from '../plainStarter.ts';
import type { ReadFrame } from './frameReader.ts';
import { canTravel, inputFrame, inputSource, runFrame } from './frames.ts';
import { type HelperCommand, tell } from './helperCommand.ts';
import { SpawnHelper, type SpawnHelperOptions } from './spawnHelper.ts';
import { endStranded, startPlainly } from './strandedCommands.ts';

export interface HelperStarterOptions extends Pick<SpawnHelperOptions, 'script' | 'path' | 'answerMs'> {
  /** Told once, in a sentence, when the helper is of no use any longer. */
  onFallback(sentence: string): void;
}

/** Systems other than Linux cannot wait for a descriptor beyond 1024, and a command takes three. */
const MOST_COMMANDS = process.platform === 'linux' ? 4096 : 256;

/**
 * Children of a small process that forks in no time, however large this one is.
 *
 * Until the helper is ready commands wait in its pipe. If it breaks before that, nothing was started and a plain spawn
 * starts them; if it breaks later, what it ran is ended, because nobody would hear of its end, and says why. From then
 * on every command is a plain spawn.
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
      // the helper told all output before the end
      letGo: async () => command.plain?.letGo(),
      doubt: () => (command.plain ?? helper).doubt(),
    };
  }

  /** Launches the helper; resolves when it is ready, or known to be of no use, and keeps this process until then. */
  warm(): Promise<void> {
    const helper = this.#launched();
    if (!this.#isReady) helper?.hold(true);
    return this.#ready.promise;
  }

  /** Lets the helper go unless a command is running; the next command launches another one. */
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
    const onFrame = (frame: ReadFrame) => this.#heard(frame);
    const onBroken = (why: string) => this.#broke(why);
    try {
      this.#helper = new SpawnHelper({ ...this.#options, onFrame, onBroken });
    } catch (error) {
      // most failures to spawn are events, but not the lack of memory
      this.#broke(error instanceof Error ? error.message : String(error));
    }
    return this.#helper;
  }

  #heard({ type, command: id, payload }: ReadFrame): void {
    if (type === 'H') this.#becameReady();
    // the number of an answer is not a command's
    const command = type === 'A' ? undefined : this.#commands.get(id);
    if (!command) return;
    if (type === 'W') void this.#sendMore(id, command);
    const end = tell(command, type, payload);
    if (!end) return;
    this.#commands.delete(id);
    if (this.#commands.size === 0) this.#helper?.hold(false);
    command.input.close();
    command.listener.ended(end);
  }

  /** A stream may take its time, and the command may be gone by then. */
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
    if (this.#isReady) endStranded(commands, { session, reason: `the spawn helper ${what}` });
    else startPlainly(commands);
    this.#options.onFallback(`The spawn helper ${what}; commands are started without it, slower as memory grows.`);
  }
}
