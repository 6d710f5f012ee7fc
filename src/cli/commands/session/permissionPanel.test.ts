import { describe, expect, it } from 'vitest';
import type { Paint } from '../../output/colors.ts';
import { columnsOf } from '../../output/visibleText.ts';
import { permissionPanel } from './permissionPanel.ts';

const paint: Paint = (_style, text) => text;
const panelOf = (call: readonly string[], suggestion: readonly string[]) =>
  permissionPanel({
    question: {
      toolName: 'Bash',
      input: {},
      reason: `Bash "x" needs permission: ${'no rule allows it '.repeat(20)}`,
      suggestion,
      agentId: undefined,
      isAllowedAfter: () => false,
    },
    call,
    paint,
    others: () => 0,
    choose: () => {},
    view: () => {},
    isBeingTyped: () => false,
  });

const RULES = ['a', 'b', 'c', 'd'].map((name) => `Bash(touch ${name.repeat(100)})`);
const CALLS = {
  short: ['$ touch a'],
  'of long lines': ['$ first', `$ ${'a'.repeat(1_300)}`, '$ hidden', `$ ${'b '.repeat(600)}`, '$ last'],
  'of one very long line': [`$ first ${'a'.repeat(5_000)} last`],
  'of wide characters': [`$ first ${'漢'.repeat(700)} last`],
  'of blank lines': ['$ first', ...Array.from({ length: 40 }, () => '$ '), '$ last'],
};

describe.each(Object.entries(CALLS))('the question about a call %s', (_, call) => {
  it.each([
    [40, 10],
    [40, 30],
    [80, 12],
    [80, 20],
    [200, 50],
  ])('fits into %i columns and %i rows, and says what it leaves out', (width, height) => {
    for (const suggestion of [[], RULES]) {
      const lines = panelOf(call, suggestion).lines({ width, height });
      expect(lines.length).toBeLessThanOrEqual(height);
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width);
      expect(lines[0]).toBe('May Bash run?');
      expect(lines.slice(1).join('\n')).toMatch(/^ {2}(\$|… not all of it is shown)/);
      const text = lines.join('').replaceAll(/\s/g, '');
      const isWhole = text.includes(call.join('').replaceAll(/\s/g, ''));
      expect(text.includes('notallofitisshown')).toBe(!isWhole);
      expect(lines.filter((line) => /^ {2}[ysanw] {2}/.test(line))).toHaveLength(suggestion.length === 0 ? 3 : 5);
    }
  });
});

it('shows all of the rules where there is room', () => {
  const text = panelOf(['$ touch a'], RULES).lines({ width: 80, height: 40 }).join('').replaceAll(/\s/g, '');
  for (const rule of RULES) expect(text.split(rule.replaceAll(' ', ''))).toHaveLength(3);
});
