import { summaryMessage } from '../../session/compaction.ts';
import { conversationOf } from '../../session/conversation.ts';
import { withoutForeignThinking } from '../../session/foreignThinking.ts';
import type { Message } from '../../session/messages.ts';
import type { Shortened } from '../../session/shortenConversation.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { QueryEvent } from '../events.ts';
import { contextMessages, withContext } from '../hiddenMessages.ts';
import { runHooks } from '../runHooks.ts';
import { FRESH_COMPACT_TRACKING, initialState, type State } from '../state.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import { askForSummary } from './askForSummary.ts';

export type Compaction =
  | { readonly type: 'compacted'; readonly state: State }
  /** `reason` is a sentence; the conversation is as it was. */
  | { readonly type: 'notCompacted'; readonly reason: string };

export interface CompactionRequest {
  readonly trigger: 'auto' | 'manual';
  /** What the person wants the summary to keep. */
  readonly instructions: string | null;
}

export const AUTO_COMPACTION: CompactionRequest = { trigger: 'auto', instructions: null };

const TOO_SHORT = { type: 'notCompacted', reason: 'Not enough messages to compact.' } as const;

/** Replaces the conversation by a summary that the model writes. PreCompact hooks may refuse it. */
export async function* compactConversation(
  turn: Turn,
  state: State,
  { trigger, instructions }: CompactionRequest,
): AsyncGenerator<QueryEvent, Compaction> {
  const conversation = conversationOf(state.messages);
  const context = state.toolUseContext;
  const isTooShort = conversation.length - contextMessages(turn).length < 2;
  // measured: hooks see a compaction that a person asked for even when it does not happen
  if (isTooShort && trigger === 'auto') return TOO_SHORT;
  const pre = yield* runHooks(turn, {
    event: 'PreCompact',
    context,
    input: () => ({ trigger, custom_instructions: instructions }),
  });
  if (pre.blocks.length > 0)
    return { type: 'notCompacted', reason: `Compaction blocked by PreCompact hook: ${pre.blocks[0]}` };
  if (isTooShort) return TOO_SHORT;

  const wanted = [instructions, pre.specific.instructions].filter((text) => typeof text === 'string' && text !== '');
  const summary = await askForSummary(turn, state, { conversation, instructions: wanted.join('\n\n') || null });
  if (summary.type === 'failed') return { type: 'notCompacted', reason: summary.reason };
  if (summary.left) yield turn.warn(describeLeft(summary.left));

  yield turn.record(
    turn.make.system('compact_boundary', 'Conversation compacted.', {
      data: { trigger, pre_tokens: state.autoCompactTracking.countedTokens },
    }),
  );
  const summarized = turn.record(turn.make.hidden(summaryMessage(summary.text), { isCompactSummary: true }));
  yield summarized;
  const restart = yield* runHooks(turn, {
    event: 'SessionStart',
    context,
    input: () => ({ source: 'compact' as const, model: context.model.id }),
  });
  yield* runHooks(turn, { event: 'PostCompact', context, input: () => ({ trigger, compact_summary: summary.text }) });
  const contexts = restart.contexts.map((text) => turn.record(turn.make.hidden(text)));
  yield* contexts;
  const messages = AppendOnlyList.of<Message>(withContext(turn, [summarized, ...contexts]));
  return {
    type: 'compacted',
    state: {
      ...state,
      messages,
      turnStartsAt: 0,
      autoCompactTracking: { ...FRESH_COMPACT_TRACKING, compactedAt: state.turnCount },
    },
  };
}

/** What the summary does not cover. */
function describeLeft({ droppedRounds, cut }: Pick<Shortened, 'droppedRounds' | 'cut'>): string {
  const rounds = `its ${droppedRounds === 1 ? 'oldest round was' : `${droppedRounds} oldest rounds were`} left out`;
  const what = [...(droppedRounds > 0 ? [rounds] : []), ...(cut ? ['long texts and images were cut'] : [])];
  return `The conversation was too long even to be summarized: ${what.join(', and ')}.`;
}

/** What follows `/compact` in a prompt, null for nothing; undefined for any other prompt. */
export function compactInstructions(prompt: string): string | null | undefined {
  const match = /^\/compact(?:\s+([\s\S]+))?$/.exec(prompt.trim());
  return match ? (match[1]?.trim() ?? null) : undefined;
}

/** `/compact` as a prompt: the conversation so far becomes a summary, and no turn follows. Returns why not, or ''. */
export async function* compactPrompt(
  turn: Turn,
  { history, toolUseContext }: { readonly history: readonly Message[]; readonly toolUseContext: ToolUseContext },
  instructions: string | null,
): AsyncGenerator<QueryEvent, string> {
  const messages = withoutForeignThinking(history, toolUseContext.model.id);
  const state = initialState(withContext(turn, messages), toolUseContext);
  const compaction = yield* compactConversation(turn, state, { trigger: 'manual', instructions });
  return compaction.type === 'compacted' ? '' : compaction.reason;
}
