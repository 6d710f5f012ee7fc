import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Caller, Payload } from '../../../hosts/callers.ts';
import type { HookAnswer } from '../../../stop/answers.ts';
import { sessionIdOf } from '../../../stop/situation.ts';
import { wallNow } from '../../../system/clock.ts';
import type { HookWorld } from './hookWorld.ts';

const MOST_BYTES = 1024 * 1024;

export interface Decided {
  readonly event: string;
  readonly caller: Caller;
  readonly payload: Payload;
  readonly answer: HookAnswer;
}

/** One line a decision in `~/.stopgate/logs/hooks.jsonl`: the only witness of a hook that must not disturb its host. */
export function hookLog({ stopgateHome, clock }: Pick<HookWorld, 'stopgateHome' | 'clock'>) {
  const file = path.join(stopgateHome, 'logs', 'hooks.jsonl');
  const write = (fields: object) => {
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      makeRoom(file);
      appendFileSync(file, `${JSON.stringify({ at: new Date(wallNow(clock)).toISOString(), ...fields })}\n`, {
        mode: 0o600,
      });
    } catch {
      // a full disk is no reason to disturb the host
    }
  };
  return {
    decided: ({ event, caller, payload, answer }: Decided) =>
      write({ event, caller, session: sessionIdOf(payload), cwd: payload.cwd, ...shortened(answer) }),
    failed: (event: string, error: unknown) =>
      write({ event, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  };
}

/** The head of a reason says what was decided; the rest is a check's output, which may hold anything. */
function shortened(answer: HookAnswer): object {
  return 'reason' in answer ? { ...answer, reason: answer.reason.split('\n', 1)[0] } : answer;
}

/** One older file is kept: who looks, looks at last night. */
function makeRoom(file: string): void {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts && facts.size > MOST_BYTES) renameSync(file, `${file}.1`);
}
