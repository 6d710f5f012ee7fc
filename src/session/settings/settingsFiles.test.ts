import { expect, it } from 'vitest';
import { settingsFiles } from './settingsFiles.ts';

it.each([
  ['linux', '/etc/claude-code/managed-settings.json'],
  ['darwin', '/Library/Application Support/ClaudeCode/managed-settings.json'],
] as const)('looks for managed settings on %s in %s', async (platform, file) => {
  const files = await settingsFiles({ projectDir: '/nowhere/p', homeDir: '/nowhere/h', env: {}, platform });
  expect(files).toContainEqual({ source: 'managed', file });
  expect(files.slice(0, 4).map((one) => one.file)).toEqual([
    '/nowhere/h/.claude/settings.json',
    '/nowhere/h/.stopgate/settings.json',
    '/nowhere/p/.claude/settings.json',
    '/nowhere/p/.claude/settings.local.json',
  ]);
});
