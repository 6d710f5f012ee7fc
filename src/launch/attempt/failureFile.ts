import type { AgentFailure } from '../../hosts/host.ts';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { savedFailure } from '../../schemas/savedFailure.ts';
import type { Clock } from '../../system/clock.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';

const MOST_BYTES = 65_536;
const LOOK_EVERY_MS = 50;
const LOOKS = 10;

/**
 * The API error that `stop-failure.sh`, or our own agent, saved. A host does not wait for the script, so the file may appear
 * after the agent is gone.
 */
export async function readFailure(file: string, clock: Clock, hasHooks: boolean): Promise<AgentFailure | null> {
  for (let looks = hasHooks ? LOOKS : 1; looks > 0; looks--) {
    const failure = failureIn(file);
    if (failure !== null) return failure;
    if (looks > 1) await clock.sleep(LOOK_EVERY_MS);
  }
  return null;
}

/** Bounded and without waiting: an agent may have put anything there, even a pipe. */
function failureIn(file: string): AgentFailure | null {
  const read = readTextFileSync(file, MOST_BYTES);
  const saved = savedFailure.safeParse(read.type === 'read' ? jsonValue(read.text) : undefined).data;
  if (saved === undefined) return null;
  const { error, error_details: details, last_assistant_message: message } = saved;
  return { error, text: [details, message].filter(Boolean).join(' '), message };
}
