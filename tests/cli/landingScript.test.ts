import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../src/testing/tempFolder.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const SCRIPT = path.join(ROOT, 'profiles/default/hooks/landing.sh');
const HOOK = path.join(ROOT, 'dist/hook.cjs');

const call = (tool: string, input: object) =>
  `${JSON.stringify({ session_id: 's', effort: { level: 'medium' }, hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input })}\n`;
const PLAIN = call('Bash', { command: 'npm test', description: 'x' });
const TIMED = call('Bash', { command: 'make', timeout: 600_000 });
const LONG = call('Bash', { command: `git commit -m "${'ä'.repeat(5000)}"` });
const FILE = call('Write', { file_path: 'x', content: 'sleep 900, timeout: 5\n'.repeat(1000) });

/** What Node reads, when it is started at all: a stand-in prints its input. */
async function nodeReads(left: number, input: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  await using folder = await tempFolder();
  const node = path.join(folder.path, 'node');
  writeFileSync(node, '#!/bin/sh\nprintf "node "; exec cat\n');
  chmodSync(node, 0o755);
  const end = String(Math.floor(Date.now() / 1000) + left);
  // one that decides alone ends without reading, which is no error here
  const { stdout, status } = spawnSync(SCRIPT, [node, HOOK], {
    env: { PATH: process.env.PATH ?? '', STOPGATE_BUDGET_END: end, ...env },
    input,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout;
}

it.each<[string, number, string, Readonly<Record<string, string>>, boolean]>([
  ['nothing can be refused yet', 5400, TIMED, {}, false],
  ['nor with 20 minutes left', 1200, TIMED, {}, false],
  ['a command that asks for time', 300, TIMED, {}, true],
  ['a command that sleeps', 300, call('Bash', { command: 'sleep 400' }), {}, true],
  ['a command that names no time', 300, PLAIN, {}, false],
  ['a command too long to look through', 300, LONG, {}, true],
  ['another tool, whatever it writes', 300, FILE, {}, false],
  ['another spelling of JSON', 300, PLAIN.replaceAll('":', '": '), {}, false],
  ['the last stretch', 100, PLAIN, {}, true],
  ['the last stretch, another tool', 100, FILE, {}, true],
  ['a short budget before its last stretch', 60, PLAIN, { STOPGATE_LAST_STRETCH: '20' }, false],
  ['a larger timeout allowed', 5400, TIMED, { BASH_MAX_TIMEOUT_MS: '7200000' }, true],
  ['a larger default', 5400, TIMED, { BASH_DEFAULT_TIMEOUT_MS: '7200000' }, true],
  ['a smaller timeout allowed', 300, TIMED, { BASH_MAX_TIMEOUT_MS: '60000' }, false],
  ['a limit that is no number', 1200, TIMED, { BASH_MAX_TIMEOUT_MS: 'a[$(id)]' }, false],
])(
  'starts Node only when the call could be refused, and gives it all of it: %s',
  async (_name, left, input, env, starts) => {
    expect(await nodeReads(left, input, env)).toBe(starts ? `node ${input}` : '');
  },
);
