// The work of every contestant of the loop bench: call one small tool `steps` times, then report it.

export const SYSTEM = 'You are an agent. Look at the file line by line, then say that you are done.';
export const PROMPT = 'Look at every line of src/main.ts.';
export const TEXTS = ['Looking at ', 'the next line.'];
export const LAST_TEXT = 'Done.';
export const TOOL = {
  name: 'Look',
  description: 'Shows one line of a file.',
  jsonSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, line: { type: 'number' } },
    required: ['path', 'line'],
    additionalProperties: false,
  },
  run: ({ path, line }) => `${path}:${line} const answer = 42;`,
};

export const callId = (n) => `toolu_${n}`;
export const callInput = (n) => ({ path: 'src/main.ts', line: n });
export const USAGE = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** The reply to request `n` in Stopgate's own events; the hand-written loop reads the same. */
export async function* reply(n, steps) {
  yield { type: 'start', id: `msg_${n}`, model: 'bench' };
  if (n === steps) {
    yield { type: 'text_delta', text: LAST_TEXT };
    yield { type: 'block', block: { type: 'text', text: LAST_TEXT } };
    yield { type: 'finish', stopReason: 'end_turn', usage: USAGE };
    return;
  }
  for (const text of TEXTS) yield { type: 'text_delta', text };
  yield { type: 'block', block: { type: 'text', text: TEXTS.join('') } };
  yield { type: 'block', block: { type: 'tool_use', id: callId(n), name: TOOL.name, input: callInput(n) } };
  yield { type: 'finish', stopReason: 'tool_use', usage: USAGE };
}
