import type { UserMessage } from '../session/messages.ts';
import type { QueryEvent } from './events.ts';
import { INTERRUPTED } from './interruptStep.ts';
import { type HookCall, runHooks } from './runHooks.ts';
import {
  blockNotice,
  EMPTY_REPORT,
  errorNotice,
  noteHookEvent,
  type StopHookReport,
  summaryMessage,
} from './stopSummary.ts';
import type { Turn } from './turn.ts';

export type StopQuestion = HookCall<'Stop' | 'SubagentStop' | 'TaskCompleted' | 'TeammateIdle'>;

/** What the hooks of one event at the end of a turn came to. */
export interface StopAnswer {
  /** Hidden user messages: the turn goes on with them. */
  readonly blocks: readonly UserMessage[];
  /** Context that hooks add without blocking; it too makes the turn go on. */
  readonly contexts: readonly UserMessage[];
  /** Set when the turn must end now: why. */
  readonly prevented: string | null;
  readonly report: StopHookReport;
}

/** Of a stop whose hooks a person interrupted. */
export const INTERRUPTED_AT_STOP = 'Interrupted by the user.';

const NOBODY_ASKED: StopAnswer = { blocks: [], contexts: [], prevented: null, report: EMPTY_REPORT };

/**
 * Asks the hooks of one event whether the turn may end: Stop, SubagentStop, and what teammates are asked. With none
 * configured nothing is yielded. Each result is told as it comes, a summary at the end.
 */
export async function* askAtStop(turn: Turn, question: StopQuestion): AsyncGenerator<QueryEvent, StopAnswer> {
  const { event, context } = question;
  if (!turn.deps.hooks.has(event)) return NOBODY_ASKED;
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
    return { ...NOBODY_ASKED, prevented: INTERRUPTED_AT_STOP, report };
  }
  const { prevented } = verdict;
  if (report.hooks.length > 0) yield turn.record(summaryMessage(turn, { event, toolUseId, prevented }, report));
  if (report.blockedBy.length > 0) yield turn.record(blockNotice(turn, event, report));
  if (report.errors.length > 0) {
    turn.deps.logEvent('stop_hooks_failed', { event, durationMs, failed: report.errors.length, chainId, depth });
    yield turn.record(errorNotice(turn, event, report));
  }
  const hidden = (text: string) => turn.make.user([{ type: 'text', text }], { isMeta: true });
  if (prevented !== null) return { ...NOBODY_ASKED, prevented, report };
  return { blocks: verdict.blocks.map(hidden), contexts: verdict.contexts.map(hidden), prevented: null, report };
}
