import { formatDuration } from '../../system/formatDuration.ts';
import type { HookContext } from '../kind.ts';
import { failed, type HookOutcome, type HookPrinted } from '../outcome.ts';

/** How a bounded piece of work ended. */
export type Bounded<T> =
  | { readonly type: 'done'; readonly value: T; readonly durationMs: number }
  | { readonly type: 'threw'; readonly error: string; readonly durationMs: number }
  | { readonly type: 'timedOut'; readonly durationMs: number }
  | { readonly type: 'aborted'; readonly durationMs: number };

type Bounds = Pick<HookContext, 'signal' | 'timeoutMs' | 'clock'>;

/** Runs `work` until it ends, its time is up or the turn is aborted. Work that ignores its signal is not waited for. */
export async function bounded<T>(bounds: Bounds, work: (signal: AbortSignal) => Promise<T>): Promise<Bounded<T>> {
  const { clock, signal } = bounds;
  const startedAt = clock.now();
  const own = new AbortController();
  const first = signal.aborted ? 'aborted' : await firstOf(attempt(work, own.signal), bounds);
  if (typeof first !== 'string') return { ...first, durationMs: clock.now() - startedAt };
  own.abort();
  return { type: first, durationMs: clock.now() - startedAt };
}

/** Most function hooks answer immediately; a timer and a listener would cost several times as much. */
const TICKS_BEFORE_A_TIMER = 5;

async function firstOf<T>(worked: Promise<Attempt<T>>, bounds: Bounds): Promise<Attempt<T> | 'aborted' | 'timedOut'> {
  let done: Attempt<T> | undefined;
  void worked.then((attempted) => {
    done = attempted;
  });
  for (let tick = 0; tick < TICKS_BEFORE_A_TIMER; tick++) {
    await null;
    if (done !== undefined) return done;
  }
  const { clock, signal, timeoutMs } = bounds;
  const settled = new AbortController();
  const aborted = Promise.withResolvers<'aborted'>();
  const onAbort = () => aborted.resolve('aborted');
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const late = clock.sleep(timeoutMs, settled.signal).then(() => 'timedOut' as const);
  const first = await Promise.race([worked, aborted.promise, late]);
  signal.removeEventListener('abort', onAbort);
  settled.abort('settled');
  return first;
}

type Attempt<T> = { readonly type: 'done'; readonly value: T } | { readonly type: 'threw'; readonly error: string };

async function attempt<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<Attempt<T>> {
  try {
    return { type: 'done', value: await work(signal) };
  } catch (error) {
    return { type: 'threw', error: sentence(error) };
  }
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The outcome of work that gave no value. */
export function unfinished(end: Exclude<Bounded<unknown>, { type: 'done' }>, timeoutMs: number): HookOutcome {
  const printed: HookPrinted = { stdout: '', stderr: '', durationMs: end.durationMs };
  if (end.type === 'aborted') return { type: 'cancelled', printed };
  return end.type === 'threw'
    ? failed('execution', end.error, printed)
    : failed('timeout', tooLong(timeoutMs), printed);
}

export function tooLong(timeoutMs: number): string {
  return `it took longer than ${formatDuration(timeoutMs)} and was ended`;
}
