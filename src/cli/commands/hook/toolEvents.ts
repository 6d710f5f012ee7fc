import { readSync } from 'node:fs';
import { budgetMessage } from '../../../budget/timeBudget.ts';
import { hostOf, printed } from '../../../hosts/all.ts';
import { PASS } from '../../../stop/answer.ts';
import { type HookClock, hookClock, hookNow } from '../../../stop/clock.ts';
import { decideLanding, type LandingClock } from '../../../stop/landing/decideLanding.ts';
import type { Payload } from '../../../stop/payload.ts';
import { onceClock } from '../../../system/clock.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { printNow } from '../../../system/printNow.ts';
import { parsePayload } from './hookPayload.ts';

/** Long enough for any tool input that matters here; what is cut does not parse, and so passes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Answers one event and ends the process. */
export function runToolEvent(name: string): void {
  const clock = hookClock(process.env, hookNow(process.env, onceClock));
  if (clock !== null) printNow(1, ownValue(ANSWERS, name)?.(clock) ?? '');
  // an ordinary end takes the whole engine down first
  process.exit(0);
}

/** Landing: may this call still run on the time that is left? */
function answerPreToolUse(clock: LandingClock): string {
  const payload = readPayloadNow();
  const { tool_name: tool, tool_input: input } = payload;
  if (typeof tool !== 'string') return '';
  const call = { tool, input: typeof input === 'object' && input !== null ? (input as Payload) : {} };
  const landing = decideLanding(call, clock);
  const answer = landing.type === 'refuse' ? ({ type: 'deny', reason: landing.reason } as const) : PASS;
  return printed(hostOf(payload, process.env.STOPGATE_HOME), answer);
}

/** The same words as budget-countdown.sh, for hosts where there is no bash or the answer has another shape. */
function countdown(clock: HookClock): string {
  const payload = readPayloadNow();
  const event = typeof payload.hook_event_name === 'string' ? payload.hook_event_name : 'PostToolUse';
  const text = budgetMessage(clock.remainingSeconds, clock);
  return printed(hostOf(payload, process.env.STOPGATE_HOME), { type: 'context', event, text });
}

const ANSWERS: Readonly<Record<string, (clock: HookClock) => string>> = {
  'pre-tool-use': answerPreToolUse,
  'post-tool-use': countdown,
  'post-tool-batch': countdown,
};

/**
 * The payload, read without the stream machinery, which would cost a tenth of a bare start. Done as soon as it is whole:
 * some hosts leave the pipe open.
 */
function readPayloadNow(): Payload {
  const chunk = Buffer.allocUnsafe(64 * 1024);
  const parts: Buffer[] = [];
  let size = 0;
  while (size < MOST_BYTES) {
    const read = readSome(chunk);
    if (read === 0) break;
    parts.push(Buffer.from(chunk.subarray(0, read)));
    size += read;
    const last = chunk[read - 1];
    // 125 is `}`, 10 a line end
    const whole = last === 125 || last === 10 ? parsePayload(Buffer.concat(parts).toString('utf8')) : null;
    if (whole) return whole;
  }
  return parsePayload(Buffer.concat(parts).toString('utf8')) ?? {};
}

function readSome(chunk: Buffer): number {
  try {
    return readSync(0, chunk);
  } catch {
    // closed or not readable: what was read is all there is
    return 0;
  }
}
