import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { everyday } from '../support/hosts/allHosts.ts';
import { driveHost } from '../support/hosts/driveHost.ts';
import type { HostName } from '../support/hosts/hostPackages.ts';
import { installHost } from '../support/hosts/installHost.ts';
import { putFiles } from '../support/hosts/setUpHost.ts';

/**
 * What agents without hooks let a plugin do, as the smallest plugin that does it: refuse the first tool call, add a line to the
 * result of the second, and refuse the first stop.
 */
const PLUGINS = {
  opencode: {
    file: '.config/opencode/plugin/gate.js',
    text: `
let calls = 0, stops = 0;
export const Gate = async ({ client }) => ({
  'tool.execute.before': async () => {
    if (calls++ === 0) throw new Error('no tools now');
  },
  'tool.execute.after': async (_call, result) => {
    result.output += '[12 minutes left]';
  },
  // a message that arrives while the answer is being completed is answered before the session is idle
  'experimental.text.complete': async ({ sessionID }) => {
    if (stops++ > 0) return;
    const parts = [{ type: 'text', text: 'not done yet' }];
    await client.session.prompt({ path: { id: sessionID }, body: { noReply: true, parts } });
  },
});`,
  },
  pi: {
    file: '.pi/agent/extensions/gate.js',
    text: `
export default function (pi) {
  let calls = 0, stops = 0;
  pi.on('tool_call', () => (calls++ === 0 ? { block: true, reason: 'no tools now' } : undefined));
  pi.on('tool_result', ({ content }) => ({ content: [...content, { type: 'text', text: '[12 minutes left]' }] }));
  pi.on('agent_before_settle', ({ entries }) => {
    if (stops++ > 0) return;
    const feedback = { type: 'custom_message', customType: 'gate', content: 'not done yet', display: true };
    return { entries: [...entries, feedback], continue: true };
  });
}`,
  },
} satisfies Partial<Record<HostName, { file: string; text: string }>>;

const all = Object.keys(PLUGINS) as (keyof typeof PLUGINS)[];
// our own plugin does all of it in tests/hosts/opencode.test.ts
const names = everyday('tests/hosts/plugins', all, (name) => name === 'pi');
const hosts = await Promise.all(names.map(async (name) => ({ name, host: await installHost(name) })));
for (const { name, host } of hosts)
  if (host.type === 'missing') process.stdout.write(`tests/hosts/plugins of ${name} is skipped: ${host.reason}\n`);

describe.each(hosts)('a plugin of $name $host.version', { timeout: 60_000 }, ({ name, host }) => {
  it.skipIf(host.type === 'missing')('refuses a tool and a stop, and adds to a result', async () => {
    await using folder = await tempFolder();
    const project = { dir: path.join(folder.path, 'project'), home: path.join(folder.path, 'home') };
    mkdirSync(project.dir);
    putFiles({ [path.join(project.home, PLUGINS[name].file)]: PLUGINS[name].text });
    const script = [{ shell: 'touch refused' }, { shell: 'echo ran' }, { text: 'Done.' }, { text: 'Really done.' }];
    const end = await driveHost(name, { project, script, prompt: 'Please do it' });
    expect(end.code, end.stderr + end.stdout).toBe(0);
    const [, refused, ran, again, ...more] = end.turns;
    expect(refused?.at(-1)).toEqual({ role: 'tool', text: 'no tools now' });
    expect(ran?.at(-1)?.text).toMatch(/^ran\n.*\[12 minutes left\]$/s);
    expect(again?.map(({ text }) => text)).toEqual(['Done.', 'not done yet']);
    expect(more).toEqual([]);
    expect(end.stdout).toContain('Really done.');
  });
});
