import { textOf } from '../../session/conversation.ts';
import type { AssistantMessage, Message } from '../../session/messages.ts';
import type { NextStep } from '../decideNextStep.ts';
import type { QueryEvent } from '../events.ts';
import type { State } from '../state.ts';
import { end, next, type StepTaken } from '../stepTaken.ts';
import { tellAnswer } from '../tellAnswer.ts';
import type { Turn } from '../turn.ts';
import { decideStop } from './decideStop.ts';
import { spendBudget } from './spendBudget.ts';
import { stopPipeline } from './stopPipeline.ts';
import type { StopHookResult } from './stopResult.ts';

/** As in Claude Code the turn may end so, and well; a person must not wonder where the answer is. */
const EMPTY_ANSWER = "The model's answer is empty, although it was asked again.";

/** The model answered without calling a tool: the one place where a turn may end well. */
export async function* checkStopStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'checkStop' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  yield* tellAnswer(turn, state, step.message);
  if (textOf(step.message) === '')
    yield turn.record(turn.make.system('informational', EMPTY_ANSWER, { level: 'warning' }));
  const asked = yield* stopPipeline(turn, {
    messagesForQuery: state.messages,
    assistantMessages: [...answersOf(state), step.message],
    toolUseContext: state.toolUseContext,
    stopHookActive: state.stopHookActive,
  });
  const decision = decideStop(asked, { blocksInARow: state.stopHookBlocks, cap: turn.config.stopHookBlockCap });
  if (decision.type === 'prevented') return end({ reason: 'stop_hook_prevented', stopReason: asked.stopReason });
  if (decision.type === 'capped') return yield* endCapped(turn, asked, decision.blocks);
  if (decision.type === 'pass') return yield* spendBudget(turn, state, step.message);
  const feedback = [...asked.blockingErrors, ...asked.contexts].map(turn.record);
  yield* feedback;
  return next({
    ...state,
    messages: state.messages.append(step.message, ...feedback),
    // `hasAttemptedReactiveCompact` stays: resetting it made compact → too long → block → compact loops.
    maxOutputTokensRecoveryCount: 0,
    silentRounds: 0,
    maxOutputTokensOverride: undefined,
    pendingToolUseSummary: undefined,
    stopHookActive: true,
    stopHookBlocks: state.stopHookBlocks + 1,
    turnCount: state.turnCount + 1,
    transition: { reason: decision.blocked ? 'stop_hook_blocking' : 'stop_hook_retry' },
  });
}

/** The turn's answers so far; a job's state is read from all of them, not just the last. */
function answersOf({ messages, turnStartsAt }: State): AssistantMessage[] {
  const answers: AssistantMessage[] = [];
  for (let i = turnStartsAt; i < messages.length; i++) {
    const message = messages.at(i);
    if (message?.type === 'assistant') answers.push(message);
  }
  return answers;
}

async function* endCapped(turn: Turn, asked: StopHookResult, blocks: number): AsyncGenerator<QueryEvent, StepTaken> {
  const lastBlock = textOfMessage(asked.blockingErrors[0] ?? asked.contexts[0]);
  const who = asked.blockedBy.length > 0 ? ` by ${asked.blockedBy.join(' and ')}` : '';
  const text = `The turn was ended although its stop was blocked${who}: ${blocks} blocks in a row without a tool call between them. The last one said: ${lastBlock} (STOPGATE_STOP_HOOK_BLOCK_CAP sets the number, 0 removes it.)`;
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
