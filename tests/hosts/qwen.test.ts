import { expect, it } from 'vitest';
import { ALL_HOSTS } from '../support/hosts/allHosts.ts';
import { describeHost } from '../support/hosts/describeHost.ts';
import { installHost } from '../support/hosts/installHost.ts';
import { checkedLaunch, limitedLaunch } from '../support/hosts/launched.ts';
import { launchedStop } from '../support/hosts/scenarios.ts';

await describeHost('qwen', {
  mostRefusals: 10,
  guarded: 2,
  // it tries seven times, and waits as long as it is told between them
  limit: { status: 429, type: 'rate_limit', message: 'Too many requests', headers: { 'retry-after': '1' } },
  settings: {
    '.qwen/settings.json':
      '// mine\n{\n\t"ui": { "theme": "dark" }, /* all of it */\n\t"model": {},\n\t"hooks": { "Stop": [] }\n}',
    '~/.qwen/other.json': '{}',
  },
});

const host = { name: 'qwen', age: 'newest' } as const;
const isMissing = (await installHost('qwen')).type === 'missing';
const timeout = 120_000;

// as tests/hosts/gemini.test.ts, from which it was made, and starting it takes two seconds of a processor
const again = it.skipIf(isMissing || !ALL_HOSTS);

again('is held to its checks by a launch, which leaves no trace', { timeout }, async () => {
  const { report, traces, committed, passes, run } = await checkedLaunch(host);
  expect(run.code, run.stderr + run.stdout).toBe(0);
  expect(run.turns).toHaveLength(4);
  expect(report.checks, run.stderr).toMatchObject({ type: 'passed' });
  expect(report.spend).toMatchObject({ outputTokens: 100 });
  expect({ traces, passes }).toEqual({ traces: [], passes: true });
  expect(committed.trim().split('\n')).toEqual(['done.txt', 'work.txt']);
});

again('ends at its token budget', { timeout }, async () => {
  const { report, traces, run } = await limitedLaunch(host);
  expect(JSON.stringify(report), run.stderr).toMatch(/tokens of the 500 it had/);
  expect(traces).toEqual([]);
});

again('is asked once by a launch in a folder with hooks of init', { timeout }, async () => {
  const { refusals, requests, passes, run } = await launchedStop(host);
  expect({ refusals, requests, passes }, run.stderr).toEqual({ refusals: 1, requests: 4, passes: true });
  expect(run.turns.flat().flatMap(({ text }) => text.match(/BUDGET: /g) ?? [])).toHaveLength(2);
});
