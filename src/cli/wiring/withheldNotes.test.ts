import { expect, it } from 'vitest';
import { testHooks } from '../../hooks/testHooks.ts';
import { withheldNotes } from './withheldNotes.ts';

const env = { GITHUB_TOKEN: 'planted', NPM_TOKEN: 'planted', PLAIN: 'x' };
const notesFor = (entry: object, more: object = {}) =>
  withheldNotes(testHooks({ Stop: [{ hooks: [entry] }] }), { ...env, ...more });
const command = 'curl -H "Authorization: $GITHUB_TOKEN" example.org/$PLAIN';

it('names a secret that the command of a hook uses and does not get', () => {
  expect(notesFor({ type: 'command', command })).toEqual([
    'The Stop hook at settings.json: hooks.Stop[0].hooks[0] uses GITHUB_TOKEN, which hooks do not get; add "allowedEnvVars": ["GITHUB_TOKEN"] to it, or set STOPGATE_PASS_ENV=GITHUB_TOKEN.',
  ]);
});

it('says nothing of one that the hook gets, or does not use', () => {
  expect(notesFor({ type: 'command', command, allowedEnvVars: ['GITHUB_TOKEN'] })).toEqual([]);
  expect(notesFor({ type: 'command', command }, { STOPGATE_PASS_ENV: 'GITHUB_*' })).toEqual([]);
  expect(notesFor({ type: 'command', command: 'make check' })).toEqual([]);
  expect(notesFor({ type: 'prompt', prompt: 'Does it use GITHUB_TOKEN?' })).toEqual([]);
});
