import { describe, expect, it } from 'vitest';
import { pageFor } from './page.ts';

const world = { cwd: '/home/me/project', homeDir: '/home/me', env: {} };

describe('a page', () => {
  it('shortens paths', () => {
    const { place } = pageFor({ outIsTerminal: false, columns: 80 }, world);
    expect(place({ file: '/home/me/project/.claude/settings.json', line: 3 })).toBe('.claude/settings.json:3');
    expect(place({ file: '/home/me/.claude/settings.json' })).toBe('~/.claude/settings.json');
    expect(place({ file: '/home/mean/settings.json' })).toBe('/home/mean/settings.json');
    expect(place({ file: '--settings', line: 1 })).toBe('--settings:1');
  });

  it('wraps text between words on a terminal, and not in a pipe', () => {
    const text = 'a sentence that is certainly longer than forty columns are wide';
    expect(pageFor({ outIsTerminal: true, columns: 20 }, world).block(text, 2)).toBe(
      '  a sentence that is certainly longer\n  than forty columns are wide',
    );
    expect(pageFor({ outIsTerminal: false, columns: 20 }, world).block(text, 2)).toBe(`  ${text}`);
    expect(pageFor({ outIsTerminal: true, columns: 20 }, world).block('x'.repeat(50), 2)).toBe(
      `  ${'x'.repeat(38)}\n  ${'x'.repeat(12)}`,
    );
  });

  it('puts the mark before every piece of a long line', () => {
    const terminal = pageFor({ outIsTerminal: true, columns: 40 }, world);
    expect(terminal.quote(`npm test${' '.repeat(32)}Trusted.`, '  │ ')).toBe(
      `  │ npm test${' '.repeat(28)}\n  │     Trusted.`,
    );
    expect(terminal.quote('検'.repeat(20), '  │ ')).toBe(`  │ ${'検'.repeat(18)}\n  │ 検検`);
    // some terminals show each half of a flag as wide, others pair them
    expect(terminal.quote('🇦'.repeat(20), '  │ ')).toBe(`  │ ${'🇦'.repeat(18)}\n  │ 🇦🇦`);
    expect(terminal.quote('a\n\nb', '│ ')).toBe('│ a\n│ \n│ b');
    const pipe = pageFor({ outIsTerminal: false, columns: 40 }, world);
    expect(pipe.quote('x'.repeat(100), '│ ')).toBe(`│ ${'x'.repeat(100)}`);
  });

  it('paints on a terminal only', () => {
    expect(pageFor({ outIsTerminal: false, columns: 80 }, world).paint('red', 'x')).toBe('x');
    expect(pageFor({ outIsTerminal: true, columns: 80 }, world).paint('red', 'x')).not.toBe('x');
  });
});
