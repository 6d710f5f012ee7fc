import { describe, expect, it } from 'vitest';
import { readRule, ruleMatcher } from './pathRules.ts';

describe('readRule', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['just words', undefined],
    ['---\ndescription: x\n---\nwords', undefined],
    ['---\npaths:\n  - src/**\n  - "*.md"\n---\nwords', ['src/**', '*.md']],
    ['---\npaths: src/**/*.{ts,tsx}, docs/*.md\n---\nwords', ['src/**/*.ts', 'src/**/*.tsx', 'docs/*.md']],
    ['---\npaths: "{a,b{1,2}}.ts {x}"\n---\nwords', ['a.ts {x}', 'b1.ts {x}', 'b2.ts {x}']],
    ['---\npaths: []\n---\nwords', undefined],
    ['---\npaths:\n  - 7\n---\nwords', undefined],
  ])('of %j is for %j', async (text, globs) => {
    const rule = await readRule('r.md', text);
    expect(rule.globs).toEqual(globs);
    expect(rule.body).toMatch(/^(?:just )?words$/);
  });

  it('with broken front matter holds for all files, and reports that', async () => {
    const rule = await readRule('r.md', '---\npaths:\n\t- a: [\n---\nwords');
    expect(rule).toMatchObject({
      globs: undefined,
      problem: expect.stringMatching(/^r\.md:\d+: .*the rule holds for all files/),
    });
  });

  it('leaves out patterns beyond its limits, and reports that', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `  - a${index}`).join('\n');
    const rule = await readRule('r.md', `---\npaths:\n${many}\n---\nwords`);
    expect(rule.globs).toHaveLength(100);
    expect(rule.problem).toMatch(/^r\.md: 50 of its paths are left out/);
  });
});

describe('ruleMatcher', () => {
  const rule = (...globs: string[]) =>
    ruleMatcher({
      file: { path: 'r', memoryType: 'Project', content: '', loadReason: 'path_glob_match' },
      root: '/repo',
      globs,
    });
  it.each<[string, string, boolean]>([
    ['src/**', '/repo/src/a/b.ts', true],
    ['src/**/*.ts', '/repo/src/b.ts', true],
    ['**/*.ts', '/repo/b.ts', true],
    ['*.ts', '/repo/src/b.ts', false],
    ['src/**', '/other/src/a.ts', false],
    ['**', '/repo/.github/x.yml', true],
    ['src/*.{ts,tsx}', '/repo/src/a.tsx', true],
  ])('%s and %s: %s', (glob, file, expected) => {
    expect(rule(glob)(file)).toBe(expected);
  });
});
