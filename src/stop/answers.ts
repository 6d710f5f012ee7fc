import type { Caller } from '../hosts/callers.ts';
import { ownValue } from '../system/ownValue.ts';
import type { GateEnding } from './gateEnding.ts';

/** What `stopgate hook` has to say, whoever asked. Notes are for people. */
export type HookAnswer =
  | { readonly type: 'nothing'; readonly notes?: readonly string[]; readonly ending?: GateEnding }
  | {
      readonly type: 'block';
      readonly reason: string;
      readonly notes?: readonly string[];
      /** How the checks answered, for the record. */
      readonly ending?: GateEnding;
      /** Called when the host has the answer. */
      readonly delivered?: () => Promise<void>;
    }
  | { readonly type: 'deny'; readonly reason: string }
  | { readonly type: 'context'; readonly event: string; readonly text: string; readonly notes?: readonly string[] };

export const NOTHING: HookAnswer = { type: 'nothing' };

type Words = { readonly [Type in HookAnswer['type']]: (answer: Extract<HookAnswer, { type: Type }>) => object | null };

/** Every host with a veto takes these: exit 0, one object, no key that one of them refuses. */
const PORTABLE: Words = {
  nothing: () => null,
  block: ({ reason }) => ({ decision: 'block', reason }),
  deny: ({ reason }) => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
  }),
  context: ({ event, text }) => ({ hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
};

/** Claude Code and our own agent show people a message beside a stop; others take an unknown key for a failure. */
const WITH_NOTES: Words = {
  ...PORTABLE,
  nothing: ({ notes }) => (notes?.length ? { systemMessage: notes.join('\n') } : null),
  block: ({ reason, notes }) => ({
    decision: 'block',
    reason,
    ...(notes?.length && { systemMessage: notes.join('\n') }),
  }),
  context: ({ notes, ...answer }) => ({
    ...PORTABLE.context(answer),
    ...(notes?.length && { systemMessage: notes.join('\n') }),
  }),
};

const SPOKEN: { readonly [Who in Caller]?: Words } = {
  claudeCode: WITH_NOTES,
  stopgate: WITH_NOTES,
  // reads context at the top only, also from Claude Code's files
  copilot: { ...PORTABLE, context: ({ text }) => ({ additionalContext: text }) },
};

/** What to print; nothing at all is how every host is told to go on. */
export function printedAnswer(answer: HookAnswer, caller: Caller): string {
  const words = ownValue(SPOKEN, caller) ?? PORTABLE;
  const said = (words[answer.type] as (answer: HookAnswer) => object | null)(answer);
  return said === null ? '' : `${JSON.stringify(said)}\n`;
}
