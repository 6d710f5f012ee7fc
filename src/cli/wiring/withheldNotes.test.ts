import { expect, it } from 'vitest';
import { testHooks } from '../../../tests/support/testHooks.ts';
import { withheldNotes } from './configuredHooks.ts';

const env = { GITHUB_TOKEN: 'planted', NPM_TOKEN: 'planted', PLAIN: 'x' };
const notesFor = (entry: object, more: object = {}) =>
  withheldNotes(testHooks({ Stop: [{ hooks: [entry] }] }), { ...env, ...more });
const command = 'curl -H "Authorization: $GITHUB_TOKEN" example.org/$PLAIN';

it('names a secret that the command of a hook uses and does not get', () => {
  expect(notesFor({ type: 'command', command })).toEqual([
    'The Stop hook at settings.json: hooks.Stop[0].hooks[0] uses GITHUB_TOKEN, which hooks do not get; add "allowedEnvVars": ["GITHUB_TOKEN"] to it, or set STOPGATE_PASS_ENV=GITHUB_TOKEN.',
  ]);
});

it('names the keys of models that an agent in a hook may need', () => {
  const [note] = notesFor({ type: 'command', command: 'claude -p "review it"' }, { ANTHROPIC_API_KEY: 'planted' });
  expect(note).toContain('starts an agent and may need ANTHROPIC_API_KEY, which hooks do not get;');
  expect(
    notesFor({ type: 'command', command: 'node x/bin/stopgate.js -p y' }, { OPENAI_API_KEY: 'planted' }),
  ).toHaveLength(1);
  expect(notesFor({ type: 'command', command: 'claude -p x' })).toEqual([]);
  expect(notesFor({ type: 'command', command: 'cat claude.md' }, { OPENAI_API_KEY: 'planted' })).toEqual([]);
});

it('ignores a secret that the hook gets or does not use', () => {
  expect(notesFor({ type: 'command', command, allowedEnvVars: ['GITHUB_TOKEN'] })).toEqual([]);
  expect(notesFor({ type: 'command', command }, { STOPGATE_PASS_ENV: 'GITHUB_*' })).toEqual([]);
  expect(notesFor({ type: 'command', command: 'make check' })).toEqual([]);
  expect(notesFor({ type: 'prompt', prompt: 'Does it use GITHUB_TOKEN?' })).toEqual([]);
});
