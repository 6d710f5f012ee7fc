import { describe, expect, it } from 'vitest';
import { shownOutput } from './testText.ts';

describe('shown output', () => {
  it('is complete when it is short, without colors and trailing blank lines', () => {
    expect(shownOutput('\x1b[31mred\x1b[0m\nplain\n\n')).toEqual(['red', 'plain']);
    expect(shownOutput(' \n')).toEqual([]);
  });

  it('is the beginning when it is long, with the missing amount', () => {
    const lines = shownOutput(Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n'));
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('… 80 more characters (--json shows all that was kept)');
    const long = shownOutput(`${'x'.repeat(5_000)}\n[… 50000 bytes were left out here …]\nend`);
    expect(long[0]).toHaveLength(2_000);
    expect(long[1]).toMatch(/^… 3,\d+ more characters, and 50,000 bytes that were not kept /);
  });
});
