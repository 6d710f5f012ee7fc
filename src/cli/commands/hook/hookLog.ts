import path from 'node:path';
import type { HookAnswer } from '../../../hosts/host.ts';
import { type Payload, sessionIdOf } from '../../../stop/payload.ts';
import { attempt } from '../../../system/attempt.ts';
import { type Clock, wallNow } from '../../../system/clock.ts';
import { appendToLog } from '../../../system/lineFile.ts';

const MOST_BYTES = 1024 * 1024;

interface Decision {
  readonly event: string;
  readonly caller: string;
  readonly payload: Payload;
  readonly answer: HookAnswer;
}

/** One line per decision in `~/.stopgate/logs/hooks.jsonl`: a hook must not disturb its host with errors. */
export function hookLog({ stopgateHome, clock }: { readonly stopgateHome: string; readonly clock: Clock }) {
  const file = path.join(stopgateHome, 'logs', 'hooks.jsonl');
  const write = (fields: object) => {
    const line = { at: new Date(wallNow(clock)).toISOString(), ...fields };
    // a full disk must not disturb the host either
    attempt(() => appendToLog(file, line, MOST_BYTES), undefined);
  };
  return {
    decided: ({ event, caller, payload, answer }: Decision) =>
      write({ event, caller, session: sessionIdOf(payload), cwd: payload.cwd, ...shortened(answer) }),
    failed: (event: string, error: unknown) =>
      write({ event, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  };
}

/** Only the first line of a reason: after it comes a check's output, which may contain anything. */
function shortened(answer: HookAnswer): object {
  return 'reason' in answer ? { ...answer, reason: answer.reason.split('\n', 1)[0] } : answer;
}
