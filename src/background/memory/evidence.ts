import { type ConversationMessage, type ToolUseBlock, textIn, type UserContent } from '../../models/types.ts';
import type { ExtractionCursor } from '../../schemas/memory.ts';
import type { AssistantMessage } from '../../session/messages.ts';
import { textDigest } from './memoryFolder.ts';

/**
 * The basis of facts: the user's own words and the output of tools. Not the agent's answers, not text that the engine or a
 * hook added, and not text recalled from memory, or facts would confirm themselves.
 */
export interface Evidence {
  readonly source: 'user' | 'tool';
  readonly text: string;
}

/** Mark recalled text, which is never evidence. */
export const RECALL_START = '<recalled-memory>';
export const RECALL_END = '</recalled-memory>';

const ADDED_BY_THE_ENGINE =
  /^(?:<system-reminder>|<recalled-memory>|[A-Z]\w+ hook feedback:|This session goes on from an earlier conversation|\[Request interrupted)/;

/** Whether the engine or a hook added a text block of a user message. */
export const isAddedByEngine = (text: string): boolean => ADDED_BY_THE_ENGINE.test(text.trimStart());

/** The part of a conversation that was not read yet. After a compaction that is all of it. */
export function unseenMessages(
  messages: readonly ConversationMessage[],
  cursor: ExtractionCursor | undefined,
): readonly ConversationMessage[] {
  if (!cursor || cursor.messages === 0 || cursor.messages > messages.length) return messages;
  const last = messages[cursor.messages - 1];
  return last && messageDigest(last) === cursor.digest ? messages.slice(cursor.messages) : messages;
}

export function cursorAt(messages: readonly ConversationMessage[]): ExtractionCursor {
  const last = messages.at(-1);
  return { messages: messages.length, digest: last ? messageDigest(last) : '' };
}

function messageDigest({ role, content }: ConversationMessage): string {
  return textDigest(JSON.stringify([role, content]));
}

/** Separate from the conversation, because a sent message does not record who wrote it. */
export type HiddenMessages = ReadonlySet<ConversationMessage>;

export function evidenceIn(
  messages: readonly ConversationMessage[],
  memoryDir: string,
  hidden: HiddenMessages = new Set(),
): readonly Evidence[] {
  const recalls = new Set(messages.flatMap((message) => callsTouching(message, memoryDir)));
  return messages.flatMap((message) =>
    message.role === 'user' && !hidden.has(message) ? userEvidence(message, recalls) : [],
  );
}

function userEvidence({ content }: UserContent, recalls: ReadonlySet<string>): Evidence[] {
  if (typeof content === 'string') return ownText(content);
  return content.flatMap((block): Evidence[] => {
    if (block.type === 'text') return ownText(block.text);
    if (block.type !== 'tool_result' || recalls.has(block.tool_use_id)) return [];
    const text = withoutRecalled(textIn(block.content));
    return text.trim() ? [{ source: 'tool', text }] : [];
  });
}

function ownText(text: string): Evidence[] {
  if (isAddedByEngine(text)) return [];
  const own = withoutRecalled(text);
  return own.trim() ? [{ source: 'user', text: own }] : [];
}

function withoutRecalled(text: string): string {
  return text.replace(/<recalled-memory>[\s\S]*?(?:<\/recalled-memory>|$)/g, '');
}

/** Calls that read the memory folder: their results are recalled text too. */
function callsTouching({ role, content }: ConversationMessage, memoryDir: string): string[] {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_use' && names(block, memoryDir) ? [block.id] : []));
}

const names = ({ input }: ToolUseBlock, folder: string) => JSON.stringify(input ?? null).includes(folder);

const WRITING = new Set(['Write', 'Edit', 'NotebookEdit', 'Bash']);

/** Whether the agent itself wrote into the memory folder in this turn. */
export function wroteMemory(answers: readonly AssistantMessage[], memoryDir: string): boolean {
  const calls = answers.flatMap(({ message }) => message.content).filter((block) => block.type === 'tool_use');
  return calls.some((call) => {
    const writes = call.name !== 'Bash' || />|\btee\b|\bmv\b|\bcp\b|\brm\b|\bsed\b/.test(JSON.stringify(call.input));
    return WRITING.has(call.name) && names(call, memoryDir) && writes;
  });
}
