import type { ScriptedCondition } from '../../schemas/scriptedModel.ts';
import type { ConversationMessage, ModelRequest, ToolResultBlock, UserContent } from '../types.ts';

/** What a condition is held against: the request and its place among all, from 0. */
export interface ScriptedRequest {
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

/** Whether everything that a reply's `when` asks for is so; without one, always. */
export function conditionHolds(condition: ScriptedCondition | undefined, sent: ScriptedRequest): boolean {
  if (!condition) return true;
  return Object.entries(condition).every(([name, wanted]) => {
    const check = CHECKS[name as keyof ScriptedCondition] as (wanted: unknown, sent: ScriptedRequest) => boolean;
    return wanted === undefined || check(wanted, sent);
  });
}

/** The words of the newest user message that has any: what a person, a hook or the engine said last. */
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

/** The tool results that came after the last answer: what the model is to react to. */
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
