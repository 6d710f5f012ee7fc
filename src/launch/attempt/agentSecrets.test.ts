import { expect, it } from 'vitest';
import { claudeAgent } from '../../hosts/claudeCode/agent.ts';
import { commandAgent } from '../../hosts/command/agent.ts';
import { stopgateAgent } from '../../hosts/stopgate/agent.ts';
import { agentSecrets } from './tasksOfAgent.ts';

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
    claudeAgent,
    'claude does not get NPM_TOKEN, OPENAI_API_KEY (STOPGATE_PASS_ENV=NAME,… passes those that its tasks need)',
  ],
  ['aider', commandAgent, 'aider does not get NPM_TOKEN (STOPGATE_PASS_ENV=NAME,… passes those that its tasks need)'],
  ['stopgate', stopgateAgent, null],
] as const)('names what %s does not get', (name, agent, sentence) => {
  expect(agentSecrets({ name, agent }, env).sentence).toBe(sentence);
});

it('has no sentence where everything is passed', () => {
  const passed = { ...env, STOPGATE_PASS_ENV: 'NPM_TOKEN,OPENAI_*' };
  expect(agentSecrets({ name: 'claude', agent: claudeAgent }, passed).sentence).toBeNull();
});
