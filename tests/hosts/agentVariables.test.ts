import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { HOSTS } from '../../src/hosts/all.ts';
import { drive, hostProject } from '../support/hosts/hostProject.ts';

const NAMES = ['codex', 'gemini', 'qwen', 'copilot', 'opencode', 'pi', 'claude'] as const;

// a process that outlives its agent is known by nothing else
it.each(NAMES)('%s gives its commands a variable that its row names', { timeout: 90_000 }, async (name) => {
  const host = { name, age: 'newest' } as const;
  await using project = await hostProject(host);
  await drive(host, project, { script: [{ shell: 'env > env.txt' }, { text: 'done' }] });
  expect(existsSync(path.join(project.dir, 'env.txt'))).toBe(true);
  const given = project
    .read('env.txt')
    .split('\n')
    .map((line) => line.split('=')[0] ?? '');
  const { agentVariables = [] } = HOSTS.find(({ wiring }) => wiring?.flag === name) ?? {};
  expect(agentVariables.filter((variable) => given.includes(variable))).not.toEqual([]);
});
