import type { Clock } from '../../system/clock.ts';
import type { ConfiguredHook } from '../configuredHook.ts';
import type { FiredEvent } from '../kind.ts';
import type { HookOutcome } from '../outcome.ts';

/** A hook that runs beside the turn. */
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
export interface BackgroundText {
  readonly type: 'context' | 'wake';
  readonly text: string;
  readonly label: string;
}

export interface BackgroundHooks {
  adopt(running: BackgroundHook): void;
  /** How many still run. */
  running(): number;
  /** What was left for the model since the last call. */
  take(): readonly BackgroundText[];
  /** Resolves when none is left that could wake the agent, or when the signal aborts. */
  wakersEnded(signal: AbortSignal): Promise<void>;
  /** Waits at most `ms` for all of them, then ends the others and returns their names. */
  drain(ms: number): Promise<readonly string[]>;
}

/** Tracks background hooks, so that nothing is lost or left running when the process exits. */
export function backgroundHooks(clock: Clock, onWake: (text: BackgroundText) => void = () => {}): BackgroundHooks {
  const all = new Set<BackgroundHook>();
  let texts: BackgroundText[] = [];

  async function follow(running: BackgroundHook): Promise<void> {
    const outcome = await running.ended;
    all.delete(running);
    const left = textsOf(running, outcome);
    texts.push(...left);
    for (const text of left) if (text.type === 'wake') onWake(text);
  }

  return {
    adopt(running) {
      all.add(running);
      void follow(running);
    },
    running: () => all.size,
    take() {
      const taken = texts;
      texts = [];
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

/** Decisions of a background hook have no effect: only its context and a configured wake-up are delivered. */
function textsOf({ hook, event, wakes }: BackgroundHook, outcome: HookOutcome): BackgroundText[] {
  if (outcome.type !== 'said') return [];
  const { label } = hook;
  const { context, systemMessage } = outcome.reply;
  // measured: the model reads it without the event's wording
  const contexts = [event.row.givesContext ? context : undefined, systemMessage].filter((text) => text !== undefined);
  const left: BackgroundText[] = contexts.map((text) => ({ type: 'context', text, label }));
  if (wakes && outcome.printed.exitCode === 2) {
    const { stderr, stdout } = outcome.printed;
    const text = stderr.trim() || stdout.trim() || 'No output';
    left.push({ type: 'wake', text: `${event.title} hook feedback:\n[${label}]: ${text}`, label });
  }
  return left;
}
