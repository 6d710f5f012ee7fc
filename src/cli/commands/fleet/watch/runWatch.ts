import { UserError } from '../../../../system/userError.ts';
import { paintFor } from '../../../output/colors.ts';
import { pageFor } from '../../../output/page.ts';
import { refuseAgentsFor } from '../../../wiring/standing/refuseAgents.ts';
import { type Store, StoreUnavailableError } from '../../../wiring/store/openedStore.ts';
import type { TaskWorld, WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import { runAccountPause, runAccountResume } from '../../account/runAccount.ts';
import { runChange, runPause } from '../../task/change/runChange.ts';
import { showText } from '../../task/show/runShow.ts';
import type { CommonOptions } from '../../task/taskOptions.ts';
import { FleetReader } from './fleetReader.ts';
import type { ActName, ActRequest, Effect, UiPage } from './ui.ts';
import { WatchScreen } from './watchScreen.ts';
import { followOutput } from './workerOutput.ts';

const REFRESH_MS = 1_000;
const OUTPUT_MS = 200;
const CLOSE_MS = 1_000;

interface WatchOptions extends CommonOptions {
  readonly queue?: string | undefined;
}

/** `stopgate fleet status --watch` on a terminal, until a person leaves it or a signal ends it. Closes the store. */
export async function runWatch(store: Store, options: WatchOptions, world: WaitingWorld): Promise<number> {
  const watch = new Watch(store, options, world);
  await watch.run();
  return 0;
}

class Watch {
  readonly #options: WatchOptions;
  readonly #world: WaitingWorld;
  readonly #reader: FleetReader;
  readonly #screen: WatchScreen;
  readonly #over = new AbortController();
  #wake = new AbortController();
  /** What the opened page follows; ends with the page. */
  #page = new AbortController();

  constructor(store: Store, options: WatchOptions, world: WaitingWorld) {
    this.#options = options;
    // a notice on stderr would tear the screen
    this.#world = { ...world, warn: (sentence) => this.#screen.message(sentence), print: () => {} };
    const { store: flag, queue } = options;
    this.#reader = new FleetReader(store, { store: flag, queue, world: this.#world });
    this.#screen = new WatchScreen({
      paint: paintFor(true, world.env),
      clock: world.clock,
      onEffect: (effect) => this.#effect(effect),
      onPage: (page) => this.#run(this.#follow(page)),
      onVisible: () => this.#wake.abort(),
    });
  }

  async run(): Promise<void> {
    const { signal, clock } = this.#world;
    const ended = AbortSignal.any([signal, this.#over.signal]);
    // a store that does not answer must not keep a person here
    const left = new Promise<null>((resolve) => ended.addEventListener('abort', () => resolve(null), { once: true }));
    // the terminal is gone
    for (const event of ['end', 'error']) process.stdin.once(event, () => this.#over.abort('no terminal'));
    this.#screen.open();
    try {
      while (!ended.aborted) {
        this.#wake = new AbortController();
        const reading = await Promise.race([this.#reader.read(this.#screen.visible), left]);
        if (reading?.type === 'read') this.#screen.show(reading.facts);
        if (reading?.type === 'away') this.#screen.showAway(reading.reason);
        await clock.sleep(REFRESH_MS, AbortSignal.any([ended, this.#wake.signal]));
      }
    } finally {
      this.#page.abort();
      await this.#screen.close();
      await Promise.race([this.#reader[Symbol.asyncDispose](), clock.sleep(CLOSE_MS)]);
    }
    const { reason } = this.#over.signal;
    if (reason instanceof Error) throw reason;
  }

  #effect(effect: Effect): void {
    if (effect.type === 'quit') this.#over.abort('left');
    else if (effect.type === 'suspend') this.#run(this.#screen.suspend());
    else this.#run(this.#act(effect.request));
  }

  /** An exception ends the view, after the terminal is restored. */
  #run(work: Promise<void>): void {
    void work.catch((error: unknown) => this.#over.abort(error instanceof Error ? error : new Error(String(error))));
  }

  async #act(request: ActRequest): Promise<void> {
    this.#screen.message('…');
    this.#screen.message(await runAct(request, this.#options, this.#world));
    this.#wake.abort();
  }

  async #follow(page: UiPage): Promise<void> {
    this.#page.abort();
    this.#page = new AbortController();
    const { signal } = this.#page;
    if (page.type === 'output') await this.#followOutput(page.workerId, signal);
    if (page.type === 'task') await this.#showTask(page.taskId, signal);
  }

  async #followOutput(workerId: string, signal: AbortSignal): Promise<void> {
    const shown = this.#screen.visible.find((item) => item.id === workerId && item.type === 'worker');
    const host = shown?.type === 'worker' ? shown.worker.host : null;
    const output = followOutput(this.#world.stopgateHome, workerId, host);
    while (!signal.aborted) {
      this.#screen.showOpened({ output: output.lines() });
      await this.#world.clock.sleep(OUTPUT_MS, signal);
    }
  }

  /** Read again as often as the list. */
  async #showTask(taskId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const shown = await this.#reader.task(taskId);
      const linesOf = (width: number) => {
        if (typeof shown === 'string') return [shown];
        return showText(shown, pageFor({ outIsTerminal: true, columns: width }, this.#world)).split('\n');
      };
      if (!signal.aborted) this.#screen.showOpened({ task: linesOf });
      await this.#world.clock.sleep(REFRESH_MS, signal);
    }
  }
}

interface Act {
  /** The command that does it, as in the table of who may use what. */
  readonly verb: string;
  run(request: ActRequest, options: CommonOptions, world: TaskWorld): Promise<number>;
}

const taskChange = (change: 'cancel' | 'redrive' | 'hold' | 'unhold'): Act => ({
  verb: `task ${change}`,
  run: ({ target, text }, options, world) =>
    runChange(change)([target], { ...options, ...(text && { reason: text }) }, world),
});

const queueChange = (change: 'pause' | 'resume'): Act => ({
  verb: `task ${change}`,
  run: ({ target }, options, world) => runPause(change)(target, options, world),
});

export const ACTS: Readonly<Record<ActName, Act>> = {
  cancel: taskChange('cancel'),
  redrive: taskChange('redrive'),
  hold: taskChange('hold'),
  unhold: taskChange('unhold'),
  pauseQueue: queueChange('pause'),
  resumeQueue: queueChange('resume'),
  pauseAccount: {
    verb: 'account pause',
    run: ({ target, text }, options, world) => runAccountPause(target, { ...options, for: text ?? '' }, world),
  },
  resumeAccount: {
    verb: 'account resume',
    run: ({ target }, options, world) => runAccountResume(target, options, world),
  },
};

/** Runs the body of the command, after the same check of who calls it, and returns what it would have printed. */
async function runAct(request: ActRequest, options: CommonOptions, world: TaskWorld): Promise<string> {
  const { verb, run } = ACTS[request.act];
  const printed: string[] = [];
  const note = (text: string) => void printed.push(text.trim());
  try {
    refuseAgentsFor(verb, options.store);
    await run(
      request,
      { ...(options.store !== undefined && { store: options.store }) },
      { ...world, print: note, warn: note },
    );
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof StoreUnavailableError)) throw error;
    note(error.message);
  }
  return printed.join(' ');
}
