import { describe, expect, it } from 'vitest';
import { CLEAR_LINE, terminalText } from '../../system/terminalText.ts';
import { paintFor } from './colors.ts';

const ALL = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('');

describe('text on a terminal', () => {
  it.each([
    ['a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['\u009b31mred', '\\u009b31mred'],
    ['a\rb', 'a\\u000db'],
    ['a\u007f', 'a\\u007f'],
    ['x\u202egnp.exe', 'x\\u202egnp.exe'],
    ['\u2066\u200f\u061c\u2028', '\\u2066\\u200f\\u061c\\u2028'],
    ['one\r\ntwo\n\tthree', 'one\ntwo\n\tthree'],
    ['\u001b[31;123456789mx', '\\u001b[31;123456789mx'],
    ['👨\u200d👩\u200d👧 é 日本', '👨\u200d👩\u200d👧 é 日本'],
  ])('shows untrusted text: %j', (text, shown) => expect(terminalText(text)).toBe(shown));

  it('keeps no control character but newline and tab', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches what must be removed
    expect(terminalText(ALL)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('keeps our own colors, also around text with other escapes', () => {
    const paint = paintFor(true, {});
    expect(terminalText(paint('red', 'a\u001b[8mb'))).toBe('\u001b[31ma\\u001b[8mb\u001b[39m');
    expect(terminalText(`${CLEAR_LINE}x`)).toBe('\u001b[G\u001b[2Kx');
    expect(terminalText(paint('red', `a ${paint('green', 'b')} c`))).toBe(
      '\u001b[31ma \u001b[32mb\u001b[39m\u001b[31m c\u001b[39m',
    );
  });

  it('keeps the meaning of a line of JSON', () => {
    const value = { text: `${ALL}\u202e` };
    expect(JSON.parse(terminalText(JSON.stringify(value)))).toEqual(value);
  });
});
