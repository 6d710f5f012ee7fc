import { expect, it } from 'vitest';
import { agentSecrets } from './agentSecrets.ts';

const env = {
  PATH: '/bin',
  ANTHROPIC_API_KEY: 'planted',
  OPENAI_API_KEY: 'planted',
  NPM_TOKEN: 'planted',
  STOPGATE_STORE: 'postgres://me:planted@host/tasks',
};

it.each([
  [
    'claude',
    'claudeSettings',
    'claude does not get NPM_TOKEN, OPENAI_API_KEY (STOPGATE_PASS_ENV=NAME,… passes those that its tasks need)',
  ],
  ['aider', 'environment', 'aider does not get NPM_TOKEN (STOPGATE_PASS_ENV=NAME,… passes those that its tasks need)'],
  ['stopgate', 'itself', null],
] as const)('says what %s does not get', (name, wiredBy, sentence) => {
  expect(agentSecrets({ name, wiredBy }, env).sentence).toBe(sentence);
});

it('says nothing where everything is passed', () => {
  const passed = { ...env, STOPGATE_PASS_ENV: 'NPM_TOKEN,OPENAI_*' };
  expect(agentSecrets({ name: 'claude', wiredBy: 'claudeSettings' }, passed).sentence).toBeNull();
});
