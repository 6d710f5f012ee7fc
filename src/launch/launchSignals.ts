/** The launch was interrupted before there was an agent: nothing ran, nothing has to be kept. */
export class NotLaunched extends Error {}

export function stopIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new NotLaunched(`The agent was not started: ${String(signal.reason)}.`);
}

/** Within the time that service managers give a process after SIGTERM. */
const KEEPING_MS = 30_000;

/** For keeping the work after an interrupt: aborted a while later, so that a git that hangs does not hold up the end. */
export function lateSignal(signal: AbortSignal, afterMs = KEEPING_MS): AbortSignal {
  const late = new AbortController();
  const start = () => setTimeout(() => late.abort('the work could not be kept in time'), afterMs).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return late.signal;
}
