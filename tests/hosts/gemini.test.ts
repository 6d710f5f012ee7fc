import { expect, it } from 'vitest';
import { ALL_HOSTS } from '../support/hosts/allHosts.ts';
import { describeHost } from '../support/hosts/describeHost.ts';
import { installHost } from '../support/hosts/installHost.ts';
import { checkedLaunch, limitedLaunch } from '../support/hosts/launched.ts';
import { launchedStop } from '../support/hosts/scenarios.ts';

await describeHost('gemini', {
  mostRefusals: 10,
  guarded: 2,
  limit: { status: 429, type: 'rate_limit', message: 'Too many requests' },
  settings: {
    '.gemini/settings.json':
      '// mine\n{\n\t"ui": { "theme": "dark" }, /* all of it */\n\t"model": {},\n\t"hooks": { "AfterAgent": [] }\n}',
    '~/.gemini/other.json': '{}',
  },
});

const host = { name: 'gemini', age: 'newest' } as const;
const isMissing = (await installHost('gemini')).type === 'missing';
const timeout = 120_000;

it.skipIf(isMissing)('is held to its checks by a launch, which leaves no trace', { timeout }, async () => {
  const { report, traces, committed, passes, run } = await checkedLaunch(host);
  expect(run.code, run.stderr + run.stdout).toBe(0);
  expect(run.turns).toHaveLength(4);
  expect(run.turns.flat().flatMap(({ text }) => text.match(/BUDGET: /g) ?? [])).toHaveLength(2);
  expect(report.checks, run.stderr).toMatchObject({ type: 'passed' });
  expect(report.spend).toMatchObject({ outputTokens: 100 });
  expect({ traces, passes }).toEqual({ traces: [], passes: true });
  expect(committed.trim().split('\n')).toEqual(['done.txt', 'work.txt']);
});

// tests/claudeCode/spend shows it at every run
it.skipIf(isMissing || !ALL_HOSTS)('ends at its token budget', { timeout }, async () => {
  const { report, traces, run } = await limitedLaunch(host);
  expect(JSON.stringify(report), run.stderr).toMatch(/tokens of the 500 it had/);
  expect(traces).toEqual([]);
});

// tests/hosts/codex.test.ts shows it at every run
it.skipIf(isMissing || !ALL_HOSTS)(
  'is asked once by a launch in a folder with hooks of init',
  { timeout },
  async () => {
    const { refusals, requests, passes, run } = await launchedStop(host);
    expect({ refusals, requests, passes }, run.stderr).toEqual({ refusals: 1, requests: 4, passes: true });
    expect(run.turns.flat().flatMap(({ text }) => text.match(/BUDGET: /g) ?? [])).toHaveLength(2);
  },
);
