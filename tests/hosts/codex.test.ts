import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeHost } from '../support/hosts/describeHost.ts';
import { drive, hostProject, initHost } from '../support/hosts/hostProject.ts';
import { installHost } from '../support/hosts/installHost.ts';
import { launchedStop } from '../support/hosts/scenarios.ts';

await describeHost('codex', {
  mostRefusals: 10,
  // hooks.json and config.toml
  guarded: 3,
  limit: {
    status: 429,
    body: { error: { type: 'usage_limit_reached', message: 'limit', resets_at: Math.floor(Date.now() / 1000) + 7200 } },
  },
  settings: {
    '~/.codex/hooks.json': '{\n\t"hooks": {"Stop": [ {"hooks":[{"type":"command","command":"true"}]} ]}}',
    '~/.codex/config.toml': '# mine\nmodel = "x"\n[hooks.state."/mine:stop:0:0"]\ntrusted_hash = "sha256:0"',
  },
});

const host = { name: 'codex', age: 'newest' } as const;
const isMissing = (await installHost('codex')).type === 'missing';

it.skipIf(isMissing)('is asked once by a launch in a folder with hooks of init', { timeout: 120_000 }, async () => {
  const { refusals, requests, passes, run } = await launchedStop(host);
  expect({ refusals, requests, passes }, run.stderr).toEqual({ refusals: 1, requests: 4, passes: true });
  expect(run.turns.flat().filter(({ text }) => text.includes('BUDGET: '))).toHaveLength(2);
});

it.skipIf(isMissing)(
  'skips hooks that moved after they were trusted, which `hosts` says',
  { timeout: 120_000 },
  async () => {
    await using project = await hostProject(host);
    await initHost(host, project);
    const file = path.join(project.home, '.codex/hooks.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    settings.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'true' }] });
    writeFileSync(file, JSON.stringify(settings));
    const run = await drive(host, project, { script: [{ shell: 'echo 1 > work.txt' }, { text: 'I am done.' }] });
    expect(run.turns).toHaveLength(2);
    const { stdout } = await project.run(['hosts', 'codex', '--json']);
    expect(JSON.parse(stdout)[0].off).toMatch(/will skip a hook of Stopgate without a message/);
    await initHost(host, project);
    expect(JSON.parse((await project.run(['hosts', 'codex', '--json'])).stdout)[0].off).toBeNull();
  },
);
