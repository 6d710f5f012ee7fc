import type { HookAnswer } from './host.ts';

type Words = { readonly [Type in HookAnswer['type']]: (answer: Extract<HookAnswer, { type: Type }>) => object | null };
type Speak = (answer: HookAnswer) => object | null;

/** Every host with a veto takes these: exit 0, one object, no key that one of them refuses. */
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

/** Claude Code and our own agent show people a message beside an answer; others take an unknown key for a failure. */
export const speakWithNotes: Speak = (answer) => {
  const said = speakPortably(answer);
  return answer.notes?.length ? { ...said, systemMessage: answer.notes.join('\n') } : said;
};

/** Reads context at the top only, also from Claude Code's files. */
export const speakContextAtTop: Speak = speakBy({ ...PORTABLE, context: ({ text }) => ({ additionalContext: text }) });
