import type { ScriptedCondition, ScriptedReply } from '../../schemas/scriptedModel.ts';
import type { ConversationMessage, ModelRequest, ToolResultBlock, UserContent } from '../types.ts';

export type ChooseReply = (sent: ScriptedRequest) => ScriptedReply | undefined;

/**
 * The rule of a script: the first reply that has uses left and whose `when` matches is used once. So replies without
 * `when` come in order, and a conditional reply goes above those it should precede.
 */
export function replyChooser(replies: readonly ScriptedReply[]): ChooseReply {
  const left = replies.map(({ repeat = 1 }) => (repeat === 'forever' ? Number.POSITIVE_INFINITY : repeat));
  // Skips used-up replies at the top for good, so that long scripts stay fast.
  let start = 0;
  return (sent) => {
    while (start < replies.length && left[start] === 0) start++;
    for (let i = start; i < replies.length; i++) {
      const reply = replies[i];
      if (!reply || left[i] === 0 || !conditionHolds(reply.when, sent)) continue;
      left[i] = (left[i] ?? 0) - 1;
      return reply;
    }
    return undefined;
  };
}

/** A request and its index, from 0. */
interface ScriptedRequest {
  readonly request: ModelRequest;
  readonly index: number;
}

type Check<Name extends keyof ScriptedCondition> = (
  wanted: NonNullable<ScriptedCondition[Name]>,
  sent: ScriptedRequest,
) => boolean;

const CHECKS: { readonly [Name in keyof ScriptedCondition]-?: Check<Name> } = {
  lastUserContains: (wanted, { request }) => lastUserText(request).includes(wanted),
  lastUserMatches: (wanted, { request }) => new RegExp(wanted).test(lastUserText(request)),
  firstUserContains: (wanted, { request }) => userText(request.messages.at(0)).includes(wanted),
  systemContains: (wanted, { request }) => request.system.join('\n').includes(wanted),
  toolResultContains: (wanted, { request }) => lastResults(request).some((block) => resultText(block).includes(wanted)),
  toolResultIsError: (wanted, { request }) =>
    lastResults(request).some((block) => (block.is_error ?? false) === wanted),
  requestIndex: (wanted, { index }) => wanted === index,
};

/** Whether all conditions of a reply's `when` match; always without one. */
function conditionHolds(condition: ScriptedCondition | undefined, sent: ScriptedRequest): boolean {
  if (!condition) return true;
  return Object.entries(condition).every(([name, wanted]) => {
    const check = CHECKS[name as keyof ScriptedCondition] as (wanted: unknown, sent: ScriptedRequest) => boolean;
    return wanted === undefined || check(wanted, sent);
  });
}

/** The text of the newest user message with text: from the user, a hook or the engine. */
export function lastUserText({ messages }: ModelRequest): string {
  for (let i = messages.length - 1; i >= 0; i--) {
    const words = userText(messages.at(i));
    if (words !== '') return words;
  }
  return '';
}

function userText(message: ConversationMessage | undefined): string {
  if (message?.role !== 'user') return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The tool results after the last answer. */
function lastResults({ messages }: ModelRequest): ToolResultBlock[] {
  const results: ToolResultBlock[] = [];
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages.at(i);
    if (message?.role !== 'user') break;
    results.unshift(...resultBlocks(message));
  }
  return results;
}

function resultBlocks({ content }: UserContent): ToolResultBlock[] {
  return typeof content === 'string' ? [] : content.filter((block) => block.type === 'tool_result');
}

function resultText({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
