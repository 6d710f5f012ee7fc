import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Clock } from '../../system/clock.ts';

/** What a StopFailure hook was told. */
export interface AgentFailure {
  readonly error: string;
  /** Everything that was said of it. */
  readonly text: string;
  /** What the agent shows for it. */
  readonly message: string;
}

const MOST_BYTES = 65_536;
const LOOK_EVERY_MS = 50;
const LOOKS = 10;

/**
 * What `stop-failure.sh`, or our own agent, has kept of an API error. A host does not wait for the script, so an agent that
 * failed may be gone a moment before it has written.
 */
export async function readFailure(file: string, clock: Clock, hasHooks: boolean): Promise<AgentFailure | null> {
  for (let looks = hasHooks ? LOOKS : 1; looks > 0; looks--) {
    const failure = failureIn(contentOf(file));
    if (failure !== null) return failure;
    if (looks > 1) await clock.sleep(LOOK_EVERY_MS);
  }
  return null;
}

/** No more than a hook is told, and without waiting: an agent may have put anything there, a pipe too. */
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
