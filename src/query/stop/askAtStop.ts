import type { QueryEvent } from '../events.ts';
import { INTERRUPTED } from '../interruptStep.ts';
import { type HookCall, runHooks } from '../runHooks.ts';
import type { Turn } from '../turn.ts';
import { PASS, prevented, type StopHookResult } from './stopResult.ts';
import { blockNotice, EMPTY_REPORT, errorNotice, noteHookEvent, summaryMessage } from './stopSummary.ts';

export type StopQuestion = HookCall<'Stop' | 'SubagentStop' | 'TaskCompleted' | 'TeammateIdle'>;

/** Of a stop whose hooks a person interrupted. */
export const INTERRUPTED_AT_STOP = 'Interrupted by the user.';

/**
 * Asks the hooks of one event whether the turn may end: Stop, SubagentStop, and what teammates are asked. With none
 * configured nothing is yielded. Each result is told as it comes, a summary at the end.
 */
export async function* askAtStop(turn: Turn, question: StopQuestion): AsyncGenerator<QueryEvent, StopHookResult> {
  const { event, context } = question;
  if (!turn.deps.hooks.has(event)) return PASS;
  const startedAt = turn.deps.clock.now();
  const toolUseId = turn.deps.ids.uuid();
  const running = runHooks(turn, { ...question, toolUseId });
  let report = EMPTY_REPORT;
  let step = await running.next();
  for (; !step.done; step = await running.next()) {
    report = noteHookEvent(report, step.value);
    yield step.value;
  }
  const verdict = step.value;
  const durationMs = turn.deps.clock.now() - startedAt;
  const { chainId, depth } = context.queryTracking;
  if (turn.signal.aborted) {
    turn.deps.logEvent('stop_hooks_cancelled', { event, durationMs, chainId, depth });
    yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED }]));
    return prevented(INTERRUPTED_AT_STOP);
  }
  const summary = { event, toolUseId, prevented: verdict.prevented };
  if (report.hooks.length > 0) yield turn.record(summaryMessage(turn, summary, report));
  if (report.blockedBy.length > 0) yield turn.record(blockNotice(turn, event, report));
  if (report.errors.length > 0) {
    turn.deps.logEvent('stop_hooks_failed', { event, durationMs, failed: report.errors.length, chainId, depth });
    yield turn.record(errorNotice(turn, event, report));
  }
  const hidden = (text: string) => turn.make.user([{ type: 'text', text }], { isMeta: true });
  if (verdict.prevented !== null) return prevented(verdict.prevented);
  return {
    ...PASS,
    blockingErrors: verdict.blocks.map(hidden),
    contexts: verdict.contexts.map(hidden),
    blockedBy: report.blockedBy,
  };
}
