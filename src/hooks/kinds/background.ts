import type { Clock } from '../../system/clock.ts';
import type { ConfiguredHook } from '../configuredHook.ts';
import type { FiredEvent } from '../kind.ts';
import type { HookOutcome } from '../outcome.ts';

/** A hook that nobody waits for. */
interface BackgroundHook {
  readonly hook: ConfiguredHook;
  readonly event: FiredEvent;
  /** Never rejects. */
  readonly ended: Promise<HookOutcome>;
  end(): void;
  /** Exit 2 wakes the agent. */
  readonly wakes: boolean;
}

/** Something a background hook left for the model. */
export interface BackgroundWord {
  readonly type: 'context' | 'wake';
  readonly text: string;
  readonly label: string;
}

export interface BackgroundHooks {
  adopt(running: BackgroundHook): void;
  /** How many are still at it. */
  running(): number;
  /** What was left for the model since the last time it was asked. */
  take(): readonly BackgroundWord[];
  /** Resolves when none is left that could wake the agent, or when the signal aborts. */
  wakersEnded(signal: AbortSignal): Promise<void>;
  /** Waits for all of them, no longer than `ms`, then ends the rest; returns the names of those it had to end. */
  drain(ms: number): Promise<readonly string[]>;
}

/** Keeps track of hooks that run beside the turn, so that nothing is lost or left behind when a process exits. */
export function backgroundHooks(clock: Clock, onWake: (word: BackgroundWord) => void = () => {}): BackgroundHooks {
  const all = new Set<BackgroundHook>();
  let words: BackgroundWord[] = [];

  async function follow(running: BackgroundHook): Promise<void> {
    const outcome = await running.ended;
    all.delete(running);
    const left = wordsOf(running, outcome);
    words.push(...left);
    for (const word of left) if (word.type === 'wake') onWake(word);
  }

  return {
    adopt(running) {
      all.add(running);
      void follow(running);
    },
    running: () => all.size,
    take() {
      const taken = words;
      words = [];
      return taken;
    },
    async wakersEnded(signal) {
      const wakers = () => [...all].filter((one) => one.wakes).map((one) => one.ended);
      const { promise: aborted, resolve } = Promise.withResolvers<void>();
      const stop = () => resolve();
      signal.addEventListener('abort', stop, { once: true });
      for (let left = wakers(); left.length > 0 && !signal.aborted; left = wakers()) {
        await Promise.race([Promise.all(left), aborted]);
      }
      signal.removeEventListener('abort', stop);
    },
    async drain(ms) {
      const done = new AbortController();
      const everything = Promise.all([...all].map((one) => one.ended));
      await Promise.race([everything, clock.sleep(ms, done.signal)]);
      done.abort();
      const late = [...all];
      for (const one of late) one.end();
      await everything;
      return late.map((one) => one.hook.label);
    },
  };
}

/** Decisions of a background hook have no effect: only context is delivered, and a wake-up where one was asked for. */
function wordsOf({ hook, event, wakes }: BackgroundHook, outcome: HookOutcome): BackgroundWord[] {
  if (outcome.type !== 'said') return [];
  const { label } = hook;
  const { context, systemMessage } = outcome.says;
  // Measured: what a hook says that nobody waited for reaches the model as it is, without the event's words.
  const told = [event.row.givesContext ? context : undefined, systemMessage].filter((text) => text !== undefined);
  const left: BackgroundWord[] = told.map((text) => ({ type: 'context', text, label }));
  if (wakes && outcome.printed.exitCode === 2) {
    const { stderr, stdout } = outcome.printed;
    const text = stderr.trim() || stdout.trim() || 'No output';
    left.push({ type: 'wake', text: `${event.title} hook feedback:\n[${label}]: ${text}`, label });
  }
  return left;
}
