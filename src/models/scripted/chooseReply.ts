import type { ScriptedCondition, ScriptedReply } from '../../schemas/scriptedModel.ts';
import { type ConversationMessage, type ModelRequest, type ToolResultBlock, textIn } from '../types.ts';

export type ChooseReply = (sent: ScriptedRequest) => ScriptedReply | undefined;

/**
 * The rule of a script: the first reply that has uses left and whose `when` matches is used once. So replies without
 * `when` come in order, and a conditional reply goes above those it should precede.
 */
export function replyChooser(replies: readonly ScriptedReply[]): ChooseReply {
  const left = replies.map(({ repeat = 1 }) => (repeat === 'forever' ? Number.POSITIVE_INFINITY : repeat));
  return (sent) => {
    const chosen = replies.findIndex(({ when }, i) => left[i] !== 0 && conditionHolds(when, sent));
    if (chosen >= 0) left[chosen] = (left[chosen] ?? 0) - 1;
    return replies[chosen];
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
  toolResultContains: (wanted, { request }) =>
    lastResults(request).some((block) => textIn(block.content).includes(wanted)),
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
  return userText(messages.toArray().findLast((message) => userText(message) !== ''));
}

function userText(message: ConversationMessage | undefined): string {
  return message?.role === 'user' ? textIn(message.content) : '';
}

/** The tool results after the last answer. */
function lastResults({ messages }: ModelRequest): ToolResultBlock[] {
  const all = messages.toArray();
  const added = all.slice(all.findLastIndex(({ role }) => role !== 'user') + 1);
  return added.flatMap(({ role, content }) =>
    role === 'user' && typeof content !== 'string' ? content.filter((block) => block.type === 'tool_result') : [],
  );
}
