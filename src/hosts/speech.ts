import type { HookAnswer } from './host.ts';

type Words = { readonly [Type in HookAnswer['type']]: (answer: Extract<HookAnswer, { type: Type }>) => object | null };
type Speak = (answer: HookAnswer) => object | null;

/** Every host that accepts a veto accepts these: exit 0, one object, no key that one of them refuses. */
const PORTABLE: Words = {
  pass: () => null,
  block: ({ reason }) => ({ decision: 'block', reason }),
  deny: ({ reason }) => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
  }),
  context: ({ event, text }) => ({ hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
};

const speakBy =
  (words: Words): Speak =>
  (answer) =>
    (words[answer.type] as Speak)(answer);

export const speakPortably: Speak = speakBy(PORTABLE);

/** Claude Code and our own agent show people a message with an answer; for others an unknown key is an error. */
export const speakWithNotes: Speak = (answer) => {
  const output = speakPortably(answer);
  return answer.notes?.length ? { ...output, systemMessage: answer.notes.join('\n') } : output;
};

/** For a host that reads the denial of a tool call only at the top level. */
export const speakDenyAtTop: Speak = speakBy({ ...PORTABLE, deny: ({ reason }) => ({ decision: 'deny', reason }) });

/** For a host that reads context only at the top level. */
export const speakContextAtTop: Speak = speakBy({ ...PORTABLE, context: ({ text }) => ({ additionalContext: text }) });
