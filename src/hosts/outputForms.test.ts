import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMS, type OutputForm } from './outputForms.ts';

const lineOf = (event: object) => `${JSON.stringify(event)}\n`;
const PIECES = '{"type":"stream_event","event":{}}\n{"type":"system","subtype":"status","status":"requesting"}\n';
const init = lineOf({ type: 'system', subtype: 'init' });
const said = (text: string, parent: string | null = null) =>
  lineOf({ type: 'assistant', message: { content: [{ type: 'text', text }] }, parent_tool_use_id: parent });
const answer = (result: string) =>
  lineOf({ type: 'result', subtype: 'success', is_error: false, result, model_usage_since_last_result: {} });
const error = (subtype: string, ...errors: string[]) => lineOf({ type: 'result', subtype, is_error: true, errors });
const CUT = 'It broke. The response above may be incomplete.';

function formed(form: OutputForm, stream: string, size = 7): string {
  let written = '';
  const output = OUTPUT_FORMS[form]((text) => {
    written += text;
  });
  for (let at = 0; at < stream.length; at += size) output.push(stream.slice(at, at + size));
  output.end();
  return written;
}

describe("Claude Code's text, from its stream", () => {
  it.each([
    ['an answer', init + PIECES + said('hi') + answer('hi\nyou'), 'hi\nyou\n'],
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
      said('half of', 'a subagent') +
        said('half of it') +
        said(CUT) +
        lineOf({ type: 'result', subtype: 'success', is_error: true, result: CUT }),
      `half of it\n${CUT}\n`,
    ],
    ['what is no event', 'plain\n{"a":1}\n{broken\nlast', 'plain\n{"a":1}\n{broken\nlast'],
    ['nothing', '', ''],
  ])('%s', (_name, stream, expected) => {
    expect(formed('text', stream)).toBe(expected);
    expect(formed('text', stream, 1000)).toBe(expected);
  });
});

describe("Claude Code's json, from its stream", () => {
  const result = (text: string) => ({ type: 'result', subtype: 'success', is_error: false, result: text });

  it('is the last result, without what only streams have', () => {
    const stream = init + PIECES + answer('first') + said('x') + answer('second');
    expect(formed('json', stream)).toBe(lineOf(result('second')));
    expect(formed('json', init)).toBe('');
  });
});
