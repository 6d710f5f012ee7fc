import { describe, expect, it } from 'vitest';
import { asPrinted } from '../plainAgent.ts';
import { FORMS, withoutPieces } from './outputForms.ts';

const OUTPUT_FORMS = { text: FORMS.text, json: FORMS.json, withoutPieces, asIs: asPrinted };
type OutputForm = keyof typeof OUTPUT_FORMS;

const lineOf = (event: object) => `${JSON.stringify(event)}\n`;
const PIECES = '{"type":"stream_event","event":{}}\n{"type":"system","subtype":"status","status":"requesting"}\n';
const init = lineOf({ type: 'system', subtype: 'init' });
const wrote = (text: string, parent: string | null = null) =>
  lineOf({ type: 'assistant', message: { content: [{ type: 'text', text }] }, parent_tool_use_id: parent });
const answer = (result: string) =>
  lineOf({ type: 'result', subtype: 'success', is_error: false, result, model_usage_since_last_result: {} });
const error = (subtype: string, ...errors: string[]) => lineOf({ type: 'result', subtype, is_error: true, errors });
const CUT = 'It broke. The response above may be incomplete.';

function formed(form: OutputForm, stream: string, size = 7): string {
  let written = '';
  const output = (OUTPUT_FORMS[form] ?? asPrinted)((text) => {
    written += text;
  });
  for (let at = 0; at < stream.length; at += size) output.push(stream.slice(at, at + size));
  output.end();
  return written;
}

describe("Claude Code's text, from its stream", () => {
  it.each([
    ['an answer', init + PIECES + wrote('hi') + answer('hi\nyou'), 'hi\nyou\n'],
    ['an answer that ends its line', answer('hi\n\n'), 'hi\n\n'],
    ['the answers of several turns', answer('first') + answer('second'), 'first\n\nsecond\n'],
    ['an empty answer among others', answer('first') + answer(' ') + answer('second'), 'first\n\nsecond\n'],
    ['an empty answer alone', answer(''), '\n'],
    [
      'money that is used',
      error('error_max_budget_usd', 'Reached maximum budget ($0.03)'),
      'Error: Exceeded USD budget (0.03)',
    ],
    [
      'a limit of turns after an answer',
      answer('a') + error('error_max_turns', 'Reached maximum number of turns (1)'),
      'a\n\nError: Reached max turns (1)',
    ],
    ['an interruption', error('error_during_execution'), 'Execution error'],
    [
      'an answer that broke off',
      wrote('half of', 'a subagent') +
        wrote('half of it') +
        wrote(CUT) +
        lineOf({ type: 'result', subtype: 'success', is_error: true, result: CUT }),
      `half of it\n${CUT}\n`,
    ],
    ['what is not an event', 'plain\n{"a":1}\n{broken\nlast', 'plain\n{"a":1}\n{broken\nlast'],
    ['nothing', '', ''],
  ])('%s', (_name, stream, expected) => {
    expect(formed('text', stream)).toBe(expected);
    expect(formed('text', stream, 1000)).toBe(expected);
  });
});

describe("Claude Code's json, from its stream", () => {
  const result = (text: string) => ({ type: 'result', subtype: 'success', is_error: false, result: text });

  it('is the last result, without what only streams have', () => {
    const stream = init + PIECES + answer('first') + wrote('x') + answer('second');
    expect(formed('json', stream)).toBe(lineOf(result('second')));
    expect(formed('json', init)).toBe('');
  });
});

it('passes on everything but the pieces, however the stream is cut', () => {
  const others = '{"type":"system","subtype":"status","status":"compacting"}\nplain\n\n{"type":"result"}';
  for (const size of [1, 7, 1000]) expect(formed('withoutPieces', PIECES + others, size)).toBe(others);
});
