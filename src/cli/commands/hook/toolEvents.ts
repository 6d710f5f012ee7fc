import { budgetMessage } from '../../../budget/timeBudget.ts';
import { hostOf, printed } from '../../../hosts/all.ts';
import { PASS } from '../../../stop/answer.ts';
import { type HookClock, hookClock, hookNow } from '../../../stop/clock.ts';
import { decideLanding, type LandingClock } from '../../../stop/landing/decideLanding.ts';
import type { Payload } from '../../../stop/payload.ts';
import { onceClock } from '../../../system/clock.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { printNow } from '../../../system/printNow.ts';
import { readPayloadSync } from './hookPayload.ts';

/** Answers one event and ends the process. */
export function runToolEvent(name: string): void {
  const clock = hookClock(process.env, hookNow(process.env, onceClock));
  if (clock !== null) printNow(1, ownValue(ANSWERS, name)?.(clock) ?? '');
  // a normal exit would tear down the whole engine first
  process.exit(0);
}

/** Landing: may this call still run on the time that is left? */
function answerPreToolUse(clock: LandingClock): string {
  const payload = readPayloadSync();
  const { tool_name: tool, tool_input: input } = payload;
  if (typeof tool !== 'string') return '';
  const call = { tool, input: typeof input === 'object' && input !== null ? (input as Payload) : {} };
  const landing = decideLanding(call, clock);
  const answer = landing.type === 'refuse' ? ({ type: 'deny', reason: landing.reason } as const) : PASS;
  return printed(hostOf(payload, process.env.STOPGATE_HOME), answer);
}

/** The same message as budget-countdown.sh, for hosts without bash or with another answer format. */
function countdown(clock: HookClock): string {
  const payload = readPayloadSync();
  const event = typeof payload.hook_event_name === 'string' ? payload.hook_event_name : 'PostToolUse';
  const text = budgetMessage(clock.remainingSeconds, clock);
  return printed(hostOf(payload, process.env.STOPGATE_HOME), { type: 'context', event, text });
}

const ANSWERS: Readonly<Record<string, (clock: HookClock) => string>> = {
  'pre-tool-use': answerPreToolUse,
  'post-tool-use': countdown,
  'post-tool-batch': countdown,
};
