import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { permissionHint } from './permissionHint.ts';

async function hint(more: { agent?: string; words?: string[]; settings?: Record<string, string>; env?: object }) {
  await using folder = await tempFolder();
  const at = (name: string) => path.join(folder.path, name);
  for (const [file, text] of Object.entries(more.settings ?? {})) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  const env = Object.fromEntries(Object.entries(more.env ?? {}).map(([name, file]) => [name, at(String(file))]));
  const { agent = 'claude', words = [] } = more;
  return permissionHint({ agent, words, cwd: at('project'), homeDir: at('home'), env });
}

const ALLOWS = '{"permissions":{"allow":["Edit"]}}';

it('says so where an agent could only read', async () => {
  const words = /cannot ask for permission.*acceptEdits/;
  expect(await hint({})).toMatch(/^Claude Code cannot ask/);
  expect(await hint({ agent: 'stopgate' })).toMatch(/^The agent cannot ask/);
  expect(await hint({ words: ['--model', 'opus'] })).toMatch(words);
  for (const text of [
    '{}',
    '{"permissions":{"allow":[],"deny":["Bash"]}}',
    '{"permissions":{"defaultMode":"default"}}',
  ]) {
    expect(await hint({ settings: { 'home/.claude/settings.json': text } }), text).toMatch(words);
  }
});

it.each([
  { words: ['--permission-mode', 'acceptEdits'] },
  { words: ['--allowedTools=Edit'] },
  { words: ['--allowed-tools', 'Edit'] },
  { words: ['--dangerously-skip-permissions'] },
  { words: ['--settings', 'mine.json'] },
  { settings: { 'home/.claude/settings.json': ALLOWS } },
  { settings: { 'project/.claude/settings.json': ALLOWS } },
  { settings: { 'project/.claude/settings.local.json': '{"permissions":{"defaultMode":"acceptEdits"}}' } },
  { settings: { 'elsewhere/settings.json': ALLOWS }, env: { CLAUDE_CONFIG_DIR: 'elsewhere' } },
  // nobody can tell
  { settings: { 'project/.claude/settings.json': '{ "permissions": // mine' } },
  { agent: './do-it.sh' },
  { agent: 'constructor' },
])('says nothing with %o', async (given) => {
  expect(await hint(given)).toBeNull();
});
