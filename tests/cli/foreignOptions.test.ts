import { expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const agent = ['--time-budget', '1m', '--agent', 'echo'];

it.each([
  ['launch', ['launch', ...agent, '--disallowedTools', 'Bash(git push *)', '--', 'go'], '--disallowed-tools'],
  ['launch, behind the prompt', ['launch', ...agent, 'go', '--permission-mode', 'plan'], '--permission-mode'],
  ['launch with -p', ['launch', ...agent, '-p', 'go'], '--print'],
  ['worker run', ['worker', 'run', '--agent', 'echo', '--model', 'x', '--'], '--model'],
  ['fleet up', ['fleet', 'up', '--agent', 'echo', '--dangerously-skip-permissions'], '--dangerously-skip-permissions'],
])('%s refuses an option of the agent before --', async (_name, args, flag) => {
  await using project = await testProject();
  const { code, stdout, stderr } = await project.run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    new RegExp(`^stopgate: ${flag} is not an option of stopgate [a-z ]+; options of the agent go after --\\.\n$`),
  );
});

it.each([
  ['status', ['status', '--model', 'x'], '--model is not an option of stopgate status; stopgate status --help lists'],
  ['task list', ['task', 'list', '--max-turns', '3'], '--max-turns is not an option of stopgate task list;'],
])('%s refuses an option of a prompt', async (_name, args, sentence) => {
  await using project = await testProject();
  const { code, stderr } = await project.run(args);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});

it('takes what a command shares with a prompt, and what stands after --', async () => {
  await using project = await testProject();
  const shared = await project.run(['launch', '-q', ...agent, '--trust-project', '--', 'go', '--model', 'x']);
  expect([shared.code, shared.stdout]).toEqual([0, 'go --model x\n']);
  expect((await project.run(['hooks', 'list', '--setting-sources', 'user', '--debug'])).code).toBe(0);
  expect((await project.run(['task', 'list', '--store', 'tasks.db'])).stderr).toContain('No store at');
});
