import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

const CTRL_U = '\u0015';
const LONGEST = 40;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Types letter after letter until `isOver`, and returns the times of each from key to echo, in ms: as a person sees it, and of
 * the processor, which is the same on a busy machine.
 */
export async function typeUntil(terminal, isOver, { pauseMs = 25 } = {}) {
  const times = { seen: [], processor: [] };
  let draft = '';
  for (let n = 0; !isOver(); n++) {
    if (draft.length >= LONGEST) {
      terminal.type(CTRL_U);
      await delay(pauseMs);
      draft = '';
    }
    // no two neighbors alike, and nothing that the session prints
    const letter = LETTERS[(n * 7 + (n >> 3) * 5) % LETTERS.length];
    draft += letter;
    terminal.forget();
    const used = terminal.processorMs();
    const at = performance.now();
    terminal.type(letter);
    const echoed = await terminal.seen(draft.length < 3 ? `${draft}\u001b` : draft, 20_000);
    times.seen.push(echoed - at);
    times.processor.push(terminal.processorMs() - used);
    await delay(pauseMs + (n % 7) * 3);
  }
  return times;
}

export function percentile(samples, share) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}
