import { expect, it } from 'vitest';
import { ALL_HOSTS } from '../support/hosts/allHosts.ts';
import { describeHost } from '../support/hosts/describeHost.ts';
import { installHost } from '../support/hosts/installHost.ts';
import { launchedStop, refusedStop, secondTask, tenStops } from '../support/hosts/scenarios.ts';

await describeHost('copilot', {
  mostRefusals: 8,
  guarded: 2,
  // it tries six times, and waits as long as it is told between them
  limit: { status: 429, type: 'rate_limited', message: 'Slow down', headers: { 'retry-after': '0' } },
  settings: {
    '~/.copilot/hooks/mine.json': '{"version":1,"hooks":{}}',
    '~/.copilot/settings.json': '{ "theme": "dark" }',
  },
});

const host = { name: 'copilot', age: 'newest' } as const;
const isMissing = (await installHost('copilot')).type === 'missing';

it.skipIf(isMissing)('is asked once where it also reads the hooks of Claude Code', { timeout: 120_000 }, async () => {
  const { refusals, requests, passes, run } = await refusedStop(host, ['claude']);
  expect({ refusals, requests, passes }, run.stderr).toEqual({ refusals: 1, requests: 4, passes: true });
  expect(run.turns.flat().filter(({ role, text }) => role === 'user' && text.includes('done-file'))).toHaveLength(1);
});

it.skipIf(isMissing)('goes on under a launch after the last block that it heeds', { timeout: 120_000 }, async () => {
  const { refusals, passes, run } = await launchedStop(host, tenStops);
  expect({ code: run.code, refusals, passes, starts: run.starts }, run.stderr).toEqual({
    ...{ code: 0, refusals: 10, passes: true, starts: 2 },
  });
});

// it takes long, and what it shows does not depend on the agent's version
it.skipIf(isMissing || !ALL_HOSTS)(
  'does ten tasks of a worker, although it heeds eight blocks',
  { timeout: 120_000 },
  async () => {
    const { states, run } = await secondTask(host, 10);
    expect(states, run.stderr).toEqual(Array.from({ length: 10 }, () => 'done'));
  },
);
