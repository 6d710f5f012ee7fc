import { describe, expect, it } from 'vitest';
import { failingPart } from './failingPart.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('failingPart', () => {
  it('shows short output whole, without colors, carriage returns and double blank lines', () => {
    expect(failingPart('\u001b[31mno\u001b[0m\r\n10%\r99%\r100%\n\n\n\nend\n', 10)).toBe('no\n100%\n\nend');
  });

  it('keeps the end of long output that names no failure', () => {
    expect(failingPart(numbered(100).join('\n'), 3)).toBe('[… 97 lines omitted]\nline 98\nline 99\nline 100');
  });

  it('finds the failure in the middle, with its neighbours', () => {
    const lines = numbered(100);
    lines[49] = 'FAIL src/sum.test.ts > adds';
    const shown = failingPart(lines.join('\n'), 10);
    expect(shown.split('\n')).toEqual([
      '[… 48 lines omitted]',
      'line 49',
      'FAIL src/sum.test.ts > adds',
      'line 51',
      'line 52',
      'line 53',
      '[… 42 lines omitted]',
      ...lines.slice(-5),
    ]);
  });

  it.each([
    'error TS2345: Argument of type',
    'not ok 3 - adds',
    '  ✗ adds two numbers',
    'E   AssertionError: assert 3 == 4',
    "thread 'main' panicked at src/main.rs:2",
    'Traceback (most recent call last):',
  ])('knows bad news: %s', (line) => {
    const shown = failingPart([...numbered(50), line, ...numbered(50)].join('\n'), 8);
    expect(shown).toContain(line.trimEnd());
  });

  it('does not take a count of nothing for a failure', () => {
    const shown = failingPart(['0 errors', 'no failures', ...numbered(50)].join('\n'), 5);
    expect(shown).not.toContain('0 errors');
  });

  it('bounds the lines and their length', () => {
    const shown = failingPart(`${'error x\n'.repeat(10_000)}${'y'.repeat(9_000)}`, 40);
    expect(shown.split('\n').filter((line) => !line.startsWith('[…'))).toHaveLength(40);
    expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThan(410);
  });
});
