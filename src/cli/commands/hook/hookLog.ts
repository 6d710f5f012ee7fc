import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { HookAnswer } from '../../../hosts/host.ts';
import { type Payload, sessionIdOf } from '../../../stop/payload.ts';
import { type Clock, wallNow } from '../../../system/clock.ts';

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
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      // one older file is kept
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(file, `${file}.1`);
      const line = JSON.stringify({ at: new Date(wallNow(clock)).toISOString(), ...fields });
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    } catch {
      // a full disk must not disturb the host either
    }
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
