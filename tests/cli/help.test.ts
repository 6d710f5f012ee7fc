import { expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

it('is printed by `help` and the words of a command, in 80 columns without a terminal', async () => {
  await using project = await testProject();
  for (const words of [[], ['fleet'], ['fleet', 'up'], ['task', 'schedules', 'list']]) {
    const shown = await project.run(['help', ...words]);
    expect(shown).toMatchObject({ code: 0, stderr: '', stdout: (await project.run([...words, '--help'])).stdout });
    const long = shown.stdout.split('\n').filter((line) => line.length > 80 && !line.includes('$ '));
    expect([shown.stdout.startsWith(`Usage: ${['stopgate', ...words].join(' ')} `), long]).toEqual([true, []]);
  }
}, 60_000);

it.each([
  [['help', 'flet'], "unknown command 'flet'\n(Did you mean fleet?)"],
  [['help', 'fleet', 'upp'], "unknown command 'upp'\n(Did you mean up?)"],
  [['help', 'status', 'x'], "unknown command 'x'"],
  [['flet', 'up'], "unknown command 'flet'\n(Did you mean fleet?)"],
  [['fix', 'it'], "unknown command 'fix'; a prompt of several words needs quotes"],
  [['review', 'landd'], "unknown command 'landd'\n(Did you mean land?)"],
  [['review', 'xvpy'], "unknown command 'xvpy'"],
  [['receipt', 'verfy', 'x'], "unknown command 'verfy'\n(Did you mean verify?)"],
  [['receipt', '3f2a', '4b'], 'too many arguments. Expected 1 argument but got 2: 3f2a, 4b.'],
  [['review', 'list', 'x'], "too many arguments for 'list'. Expected 0 arguments but got 1: x."],
  [['task', 'schedules', 'pasue'], "unknown command 'pasue'\n(Did you mean pause?)"],
  [['worker', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
])('%j is answered with what may be meant', async (args, sentence) => {
  await using project = await testProject();
  expect(await project.run(args)).toMatchObject({ code: 2, stdout: '', stderr: `stopgate: ${sentence}\n` });
});
