import { expect, it } from 'vitest';
import { printedAnswer } from './printedAnswer.ts';

const INIT = '{"type":"system","subtype":"init","session_id":"a"}\n';
const result = (more: object) => `${JSON.stringify({ type: 'result', is_error: false, ...more })}\n`;
const assistant = (...content: object[]) => `${JSON.stringify({ type: 'assistant', message: { content } })}\n`;

it.each<[string, string, boolean]>([
  ['nothing', '', false],
  ['blank lines', '\n  \n', false],
  ['text', 'four', true],
  ['a JSON answer', '{"answer": 4}', true],
  ['only the start of a stream', INIT, false],
  ['an empty result', INIT + assistant({ type: 'text', text: '' }) + result({ result: '' }), false],
  ['a result without its field', result({}), false],
  ['a result', result({ result: 'four' }), true],
  ['an error', result({ is_error: true, result: '' }), true],
  ['a tool call', INIT + assistant({ type: 'tool_use', id: 't' }), true],
  ['an answer whose result was never printed', INIT + assistant({ type: 'text', text: 'four' }), true],
  ['all events as one array', `[${INIT.trim()},${result({ result: '' }).trim()}]`, false],
  ['all events as one array, with an answer', `[${INIT.trim()},${result({ result: 'x' }).trim()}]`, true],
])('%s', (_name, output, answered) => {
  const reader = printedAnswer();
  // chunks end anywhere
  for (const part of output.match(/[\s\S]{1,7}/g) ?? []) reader.push(part);
  expect(reader.answered()).toBe(answered);
});
