import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';
import { agentNamed } from './all.ts';
import { permissionHint } from './permissionHint.ts';

interface Given {
  readonly agent?: string;
  readonly words?: string[];
  readonly worktrees?: boolean;
  readonly settings?: Record<string, string>;
  readonly env?: object;
}

async function hint(more: Given) {
  await using folder = await tempFolder();
  const at = (name: string) => path.join(folder.path, name);
  for (const [file, text] of Object.entries(more.settings ?? {})) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
  const env = Object.fromEntries(Object.entries(more.env ?? {}).map(([name, file]) => [name, at(String(file))]));
  const { agent = 'claude', words = [], worktrees = false } = more;
  const host = await agentNamed(agent).load();
  return permissionHint({ agent: host, words, worktrees, cwd: at('project'), homeDir: at('home'), env });
}

const ALLOWS = '{"permissions":{"allow":["Edit"]}}';

it('warns where an agent could only read', async () => {
  const words = /cannot ask for permission.*acceptEdits/;
  expect(await hint({})).toMatch(/^Claude Code runs headless and cannot ask/);
  expect(await hint({ agent: 'stopgate' })).toMatch(/^The agent runs headless and cannot ask/);
  expect(await hint({ words: ['--model', 'opus'] })).toMatch(words);
  for (const text of [
    '{}',
    '{"permissions":{"allow":[],"deny":["Bash"]}}',
    '{"permissions":{"defaultMode":"default"}}',
  ]) {
    expect(await hint({ settings: { 'home/.claude/settings.json': text } }), text).toMatch(words);
  }
});

it('does not count on a file that a worktree would not have', async () => {
  const settings = { 'project/.claude/settings.local.json': ALLOWS };
  expect(await hint({ settings, worktrees: true })).toMatch(/to a committed \.claude\/settings\.json\.$/);
  expect(await hint({ settings })).toBeNull();
});

it.each<Given>([
  { words: ['--permission-mode', 'acceptEdits'] },
  { words: ['--allowedTools=Edit'] },
  { words: ['--allowed-tools', 'Edit'] },
  { words: ['--dangerously-skip-permissions'] },
  { words: ['--settings', 'mine.json'] },
  { settings: { 'home/.claude/settings.json': ALLOWS } },
  { settings: { 'project/.claude/settings.json': ALLOWS } },
  { settings: { 'project/.claude/settings.local.json': '{"permissions":{"defaultMode":"acceptEdits"}}' } },
  { settings: { 'elsewhere/settings.json': ALLOWS }, env: { CLAUDE_CONFIG_DIR: 'elsewhere' } },
  // unknown
  { settings: { 'project/.claude/settings.json': '{ "permissions": // mine' } },
  { agent: './do-it.sh' },
  { agent: 'constructor' },
])('has no hint with %o', async (given) => {
  expect(await hint(given)).toBeNull();
});
