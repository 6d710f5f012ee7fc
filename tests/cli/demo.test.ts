import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

describe('stopgate demo', () => {
  it('shows a stop sent back by a failing test, the fix, a budget nudge and the end, with no key and no network; leaves nothing', async () => {
    await using project = await testProject();
    const { code, stdout, stderr } = await project.run(['demo', '--fast'], {
      env: { ANTHROPIC_API_KEY: '', TMPDIR: project.dir },
    });
    expect(stderr).toMatch(
      /^stopgate: Token budget: 2k output tokens, from the last words of the prompt \("\+2k"\)\..*\n$/,
    );
    expect(code).toBe(0);
    const order = [
      'Fixed: the loop',
      '1 blocked',
      'Stop hook feedback:',
      'Now it is fixed',
      '% of the token budget',
      'Fixed and covered',
      'The token budget is used',
      'completed',
      'After the turn',
      'memory extraction: ran.',
    ].map((text) => stdout.indexOf(text));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(stdout).not.toContain('\x1b[');
    expect(project.server.seen).toHaveLength(0);
    expect(readdirSync(project.dir)).toEqual([]);
  });

  it('keeps the repository when asked', async () => {
    await using project = await testProject();
    const kept = await project.run(['demo', '--fast', '--keep'], { env: { TMPDIR: project.home } });
    const folder = /repository is in (\S+)\./.exec(kept.stdout)?.[1] ?? '';
    expect(existsSync(`${folder}/total.js`)).toBe(true);
  });
});
