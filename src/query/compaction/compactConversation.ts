import { summaryMessage } from '../../session/compaction.ts';
import { conversationOf } from '../../session/conversation.ts';
import type { Message } from '../../session/messages.ts';
import type { Shortened } from '../../session/shortenConversation.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import { FRESH_COMPACT_TRACKING, type State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { contextMessages, withContext } from '../userContext.ts';
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

/** Replaces the conversation by a summary that the model writes. PreCompact hooks may refuse, PostCompact are told. */
export async function* compactConversation(
  turn: Turn,
  state: State,
  { trigger, instructions }: CompactionRequest,
): AsyncGenerator<QueryEvent, Compaction> {
  const conversation = conversationOf(state.messages);
  const context = state.toolUseContext;
  const isTooShort = conversation.length - contextMessages(turn).length < 2;
  // measured: hooks see what a person asked for even when nothing comes of it
  if (isTooShort && trigger === 'auto') return TOO_SHORT;
  const pre = yield* runHooks(turn, {
    event: 'PreCompact',
    context,
    input: () => ({ trigger, custom_instructions: instructions }),
  });
  if (pre.blocks.length > 0)
    return { type: 'notCompacted', reason: `Compaction blocked by PreCompact hook: ${pre.blocks[0]}` };
  if (isTooShort) return TOO_SHORT;

  const asked = [instructions, pre.specific.instructions].filter((text) => typeof text === 'string' && text !== '');
  const summary = await askForSummary(turn, state, { conversation, instructions: asked.join('\n\n') || null });
  if (summary.type === 'failed') return { type: 'notCompacted', reason: summary.reason };
  if (summary.left)
    yield turn.record(turn.make.system('informational', describeLeft(summary.left), { level: 'warning' }));

  yield turn.record(
    turn.make.system('compact_boundary', 'Conversation compacted.', {
      data: { trigger, pre_tokens: state.autoCompactTracking.countedTokens },
    }),
  );
  const told = turn.record(
    turn.make.user([{ type: 'text', text: summaryMessage(summary.text) }], { isMeta: true, isCompactSummary: true }),
  );
  yield told;
  const restart = yield* runHooks(turn, {
    event: 'SessionStart',
    context,
    input: () => ({ source: 'compact' as const }),
  });
  yield* runHooks(turn, { event: 'PostCompact', context, input: () => ({ trigger, compact_summary: summary.text }) });
  const contexts = restart.contexts.map((text) =>
    turn.record(turn.make.user([{ type: 'text', text }], { isMeta: true })),
  );
  yield* contexts;
  const messages = AppendOnlyList.of<Message>(withContext(turn, [told, ...contexts]));
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

/** What the summary does not know of. */
function describeLeft({ droppedRounds, cut }: Pick<Shortened, 'droppedRounds' | 'cut'>): string {
  const rounds = `its ${droppedRounds === 1 ? 'oldest round was' : `${droppedRounds} oldest rounds were`} left out`;
  const what = [...(droppedRounds > 0 ? [rounds] : []), ...(cut ? ['long texts and images were cut'] : [])];
  return `The conversation was too long even to be summarized: ${what.join(', and ')}.`;
}
