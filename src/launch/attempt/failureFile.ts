import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { AgentFailure } from '../../hosts/host.ts';
import type { Clock } from '../../system/clock.ts';

const MOST_BYTES = 65_536;
const LOOK_EVERY_MS = 50;
const LOOKS = 10;

/**
 * The API error that `stop-failure.sh`, or our own agent, saved. A host does not wait for the script, so the file may appear
 * after the agent is gone.
 */
export async function readFailure(file: string, clock: Clock, hasHooks: boolean): Promise<AgentFailure | null> {
  for (let looks = hasHooks ? LOOKS : 1; looks > 0; looks--) {
    const failure = failureIn(contentOf(file));
    if (failure !== null) return failure;
    if (looks > 1) await clock.sleep(LOOK_EVERY_MS);
  }
  return null;
}

/** Bounded and without waiting: an agent may have put anything there, even a pipe. */
function contentOf(file: string): string {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(MOST_BYTES);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, MOST_BYTES, null));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

function failureIn(content: string): AgentFailure | null {
  try {
    const { error, error_details: details, last_assistant_message: message } = JSON.parse(content);
    if (typeof error !== 'string') return null;
    const text = [details, message].filter((part) => typeof part === 'string').join(' ');
    return { error, text, message: typeof message === 'string' ? message : '' };
  } catch {
    return null;
  }
}
