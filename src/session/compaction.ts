import type { AssistantBlock, ConversationMessage, UserBlock } from '../models/types.ts';
import type { AppendOnlyList } from '../system/appendOnly.ts';

/** Above this share of the window the conversation is compacted before the next request. */
const AUTO_COMPACT_SHARE = 0.85;
export const MAX_AUTO_COMPACT_FAILURES = 3;

/** This many refills in a row, each within so many requests of a compaction, end the turn. As in Claude Code. */
export const MAX_RAPID_REFILLS = 3;
export const RAPID_REFILL_REQUESTS = 3;

/** `failures`: compactions in a row that failed. */
export function shouldAutoCompact(facts: { usedTokens: number; contextWindow: number; failures: number }): boolean {
  if (facts.failures >= MAX_AUTO_COMPACT_FAILURES) return false;
  return facts.usedTokens > facts.contextWindow * AUTO_COMPACT_SHARE;
}

/** How many refills in a row there are now that the window is full again. */
export function countRapidRefills(before: number, requestsSinceCompaction: number | undefined): number {
  const isRapid = requestsSinceCompaction !== undefined && requestsSinceCompaction < RAPID_REFILL_REQUESTS;
  return isRapid ? before + 1 : 0;
}

/** About four characters per token: enough to know when to count again. */
const CHARACTERS_PER_TOKEN = 4;

export function estimateTokens(messages: AppendOnlyList<ConversationMessage>, from: number): number {
  let characters = 0;
  for (let i = from; i < messages.length; i++) characters += messageCharacters(messages.at(i) as ConversationMessage);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

export function messageCharacters({ content }: ConversationMessage): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((sum, block) => sum + blockCharacters(block), 0);
}

function blockCharacters(block: AssistantBlock | UserBlock): number {
  if (block.type === 'text') return block.text.length;
  if (block.type === 'tool_use') return JSON.stringify(block.input ?? null).length;
  if (block.type === 'thinking') return block.thinking.length;
  if (block.type === 'image') return IMAGE_CHARACTERS;
  if (typeof block.content === 'string') return block.content.length;
  return block.content.reduce((sum, part) => sum + blockCharacters(part), 0);
}

/** A picture costs about 1,600 tokens whatever its file size. */
const IMAGE_CHARACTERS = 1600 * CHARACTERS_PER_TOKEN;

export function summaryRequest(instructions: string | null): string {
  const added = instructions ? `\n\nThe user asks in addition: ${instructions}` : '';
  return `The conversation is about to be replaced by a summary, because it no longer fits. Write that summary now; do not call any tool.

The agent that continues from it sees nothing else, so keep what it needs:
1. What the user asked for, in their own words where wording matters, including later changes of mind.
2. What was done: files read, created and changed (with paths), commands run and what they showed.
3. Decisions and the reasons for them; what was tried and did not work.
4. Errors met and how they were solved; what the user said about them.
5. The open tasks, and exactly what was being done when this summary was asked for.
6. The next step, if one follows from the last request.${added}`;
}

export function summaryMessage(summary: string): string {
  return `This session goes on from an earlier conversation that no longer fitted. Its summary:

${summary}

Go on from where it left off, without asking again and without mentioning this summary.`;
}
