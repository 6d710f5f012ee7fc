import { createHash } from 'node:crypto';
import type { ConversationMessage, ToolResultBlock, UserContent } from '../../models/types.ts';
import type { ExtractionCursor } from '../../schemas/memory.ts';
import type { AssistantMessage } from '../../session/messages.ts';

/**
 * What a fact may rest on: the person's own words and what tools printed. Not what the agent said, not what the engine
 * or a hook added, and above all not what was recalled from memory: facts that feed on themselves multiply.
 */
export interface Evidence {
  readonly source: 'user' | 'tool';
  readonly text: string;
}

/** Opens and closes recalled text, wherever it is shown: such text is never evidence. */
export const RECALL_START = '<recalled-memory>';
export const RECALL_END = '</recalled-memory>';

const ADDED_BY_THE_ENGINE =
  /^(?:<system-reminder>|<recalled-memory>|[A-Z]\w+ hook feedback:|This session goes on from an earlier conversation|\[Request interrupted)/;

/** Whether a text block of a user message was put there by the engine or a hook. */
export const isAddedByEngine = (text: string): boolean => ADDED_BY_THE_ENGINE.test(text.trimStart());

/** The part of a conversation that was not looked at yet. After a compaction that is all of it. */
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
  return createHash('sha256')
    .update(JSON.stringify([role, content]))
    .digest('hex')
    .slice(0, 16);
}

/** Told beside the conversation, because a message as it is sent does not say who wrote it. */
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
  if (typeof content === 'string') return words(content);
  return content.flatMap((block): Evidence[] => {
    if (block.type === 'text') return words(block.text);
    if (block.type !== 'tool_result' || recalls.has(block.tool_use_id)) return [];
    const text = withoutRecalled(resultText(block));
    return text.trim() ? [{ source: 'tool', text }] : [];
  });
}

function words(text: string): Evidence[] {
  if (isAddedByEngine(text)) return [];
  const own = withoutRecalled(text);
  return own.trim() ? [{ source: 'user', text: own }] : [];
}

function withoutRecalled(text: string): string {
  return text.replace(/<recalled-memory>[\s\S]*?(?:<\/recalled-memory>|$)/g, '');
}

function resultText({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Calls that read the memory folder: their results are recalled text under another name. */
function callsTouching({ role, content }: ConversationMessage, memoryDir: string): string[] {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.flatMap((block) => {
    return block.type === 'tool_use' && JSON.stringify(block.input ?? null).includes(memoryDir) ? [block.id] : [];
  });
}

const WRITING = new Set(['Write', 'Edit', 'NotebookEdit', 'Bash']);

/** Whether the agent itself wrote into the memory folder in this turn: what it kept need not be kept twice. */
export function wroteMemory(answers: readonly AssistantMessage[], memoryDir: string): boolean {
  return answers.some(({ message }) =>
    message.content.some(
      (block) =>
        block.type === 'tool_use' &&
        WRITING.has(block.name) &&
        JSON.stringify(block.input ?? null).includes(memoryDir) &&
        (block.name !== 'Bash' || />|\btee\b|\bmv\b|\bcp\b|\brm\b|\bsed\b/.test(JSON.stringify(block.input))),
    ),
  );
}
