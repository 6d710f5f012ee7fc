import { budgetMessage } from '../../../budget/timeBudget.ts';
import { callerOf, printed, toolCallOf } from '../../../hosts/all.ts';
import { PASS } from '../../../stop/answer.ts';
import { type HookClock, hookClock, hookNow } from '../../../stop/clock.ts';
import { decideLanding, type LandingClock } from '../../../stop/landing/decideLanding.ts';
import type { Payload } from '../../../stop/payload.ts';
import { onceClock } from '../../../system/clock.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { printNow } from '../../../system/printNow.ts';
import { readPayloadSync } from './hookPayload.ts';

/** Answers one event and ends the process. */
export async function runToolEvent(name: string): Promise<void> {
  const clock = hookClock(process.env, hookNow(process.env, onceClock));
  const answer = clock === null ? undefined : ownValue(ANSWERS, name)?.(clock);
  if (answer !== undefined) printNow(1, answer.text);
  // rare, so what records it is loaded then
  if (answer?.refused) (await import('./recordRefusal.ts')).recordRefusal(answer.refused);
  // a normal exit would tear down the whole engine first
  process.exit(0);
}

interface Answer {
  readonly text: string;
  /** A call that was denied. */
  readonly refused?: { readonly payload: Payload; readonly reason: string };
}

/** Landing: may this call still run on the time that is left? */
function answerPreToolUse(clock: LandingClock): Answer {
  const payload = readPayloadSync();
  const host = callerOf(payload, process.env.STOPGATE_HOME, process.argv);
  const call = toolCallOf(payload, host);
  if (call === null) return { text: '' };
  const landing = decideLanding(call, clock);
  if (landing.type !== 'refuse') return { text: printed(host, PASS) };
  const { reason } = landing;
  return { text: printed(host, { type: 'deny', reason }), refused: { payload, reason } };
}

/** The same message as budget-countdown.sh, for hosts without bash or with another answer format. */
function countdown(clock: HookClock): Answer {
  const payload = readPayloadSync();
  const event = typeof payload.hook_event_name === 'string' ? payload.hook_event_name : 'PostToolUse';
  const text = budgetMessage(clock.remainingSeconds, clock);
  return {
    text: printed(callerOf(payload, process.env.STOPGATE_HOME, process.argv), { type: 'context', event, text }),
  };
}

const ANSWERS: Readonly<Record<string, (clock: HookClock) => Answer>> = {
  'pre-tool-use': answerPreToolUse,
  'post-tool-use': countdown,
  'post-tool-batch': countdown,
};
