import type { Message } from '../session/messages.ts';
import type { NextStep } from './decideNextStep.ts';
import { decideStop } from './decideStop.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { end, next, type StepTaken } from './stepTaken.ts';
import { askStopHooks, type StopHookResult } from './stopHooks.ts';
import { tellAnswer } from './tellAnswer.ts';
import type { Turn } from './turn.ts';

/** The model answered without calling a tool: the one place where a turn may end well. */
export async function* checkStopStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'checkStop' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  yield* tellAnswer(turn, state, step.message);
  const asked = yield* askStopHooks(turn, state, step.message);
  const decision = decideStop({
    prevented: asked.preventContinuation,
    blocks: asked.blockingErrors.length,
    contexts: asked.contexts.length,
    blocksInARow: state.stopHookBlocks,
    cap: turn.config.stopHookBlockCap,
  });
  if (decision.type === 'prevented') return end({ reason: 'stop_hook_prevented', stopReason: asked.stopReason });
  if (decision.type === 'capped') return yield* endCapped(turn, asked, decision.blocks);
  if (decision.type === 'pass') return end({ reason: 'completed' });
  const feedback = [...asked.blockingErrors, ...asked.contexts].map(turn.record);
  yield* feedback;
  return next({
    ...state,
    messages: state.messages.append(step.message, ...feedback),
    // `hasAttemptedReactiveCompact` stays: resetting it made compact → too long → block → compact loops.
    maxOutputTokensRecoveryCount: 0,
    maxOutputTokensOverride: undefined,
    pendingToolUseSummary: undefined,
    stopHookActive: true,
    stopHookBlocks: state.stopHookBlocks + 1,
    turnCount: state.turnCount + 1,
    transition: { reason: decision.blocked ? 'stop_hook_blocking' : 'stop_hook_retry' },
  });
}

async function* endCapped(turn: Turn, asked: StopHookResult, blocks: number): AsyncGenerator<QueryEvent, StepTaken> {
  const lastBlock = textOfMessage(asked.blockingErrors[0] ?? asked.contexts[0]);
  const text = `The turn was ended after ${blocks} blocked stops in a row without a tool call between them. The last one said: ${lastBlock} (STOPGATE_STOP_HOOK_BLOCK_CAP sets the number, 0 removes it.)`;
  yield turn.record(turn.make.system('informational', text, { level: 'warning', data: { blocks, lastBlock } }));
  turn.deps.logEvent('stop_hook_capped', { blocks });
  return end({ reason: 'stop_hook_capped', blocks, lastBlock });
}

function textOfMessage(message: Message | undefined): string {
  if (message?.type !== 'user') return '';
  const { content } = message.message;
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
