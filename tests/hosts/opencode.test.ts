import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL_HOSTS } from '../support/hosts/allHosts.ts';
import { describeHost } from '../support/hosts/describeHost.ts';
import { drive, hostProject } from '../support/hosts/hostProject.ts';
import { installHost } from '../support/hosts/installHost.ts';

await describeHost('opencode', {
  mostRefusals: 10,
  // its plugin
  guarded: 2,
  limit: { status: 429, message: 'Rate limit reached for requests' },
  settings: {
    '~/.config/opencode/plugin/mine.js': 'export const Mine = async () => ({});\n',
    '.opencode/opencode.jsonc': '{ // mine\n}',
  },
});

const host = { name: 'opencode', age: 'newest' } as const;
const { type } = await installHost('opencode');

describe.skipIf(type === 'missing')('opencode without plugins', { timeout: 120_000 }, () => {
  // tests/hosts/copilot.test.ts has a launch that goes on in its agent's session, and two starts take five seconds of a processor
  it.runIf(ALL_HOSTS)('is held by the launch, which goes on in its session', async () => {
    await using project = await hostProject(host);
    const run = await drive(host, project, {
      script: [
        { shell: 'echo 1 > work.txt' },
        { text: 'I am done.' },
        { shell: 'echo 2 > done.txt' },
        { text: 'Now it is done.' },
      ],
      stopgate: [
        ...['launch', '--agent', 'opencode', '--time-budget', '20m', '--trust-project'],
        ...['--', 'Please do it', '--pure'],
      ],
    });
    const told = run.turns[2]?.map(({ text }) => text).join('\n');
    expect({ code: run.code, starts: run.starts }, run.stderr + run.stdout).toEqual({ code: 0, starts: 2 });
    expect(told).toContain('done-file');
    expect(existsSync(path.join(project.dir, 'done.txt'))).toBe(true);
    expect(run.stdout).toBe('I am done.\nNow it is done.\n');
    expect(run.stderr).toContain('opencode ended, but may not stop yet: it is started again in its session.');
    expect(run.stderr).toContain('opencode loads no plugins (--pure');
  });
});
