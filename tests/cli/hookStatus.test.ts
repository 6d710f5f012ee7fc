import { expect, it } from 'vitest';
import { BIN, testProject } from '../support/project.ts';
import { onTerminal, quoted } from '../support/terminal.ts';

it('a terminal shows which hooks run at a stop, by their status message, and how many have ended', async () => {
  await using project = await testProject(() => ({ text: 'done' }));
  // the slow one ends when the screen was seen
  const slow = {
    type: 'command',
    command: 'until [ -e seen ]; do sleep 0.05; done',
    statusMessage: 'Checking the work',
  };
  const settings = { hooks: { Stop: [{ hooks: [slow, { type: 'command', command: 'true' }] }] } };
  project.write('../home/.claude/settings.json', JSON.stringify(settings));
  const run = onTerminal(project, `exec ${quoted(process.execPath)} ${quoted(BIN)} -p x`);
  await run.sees('Checking the work… 1/2');
  project.write('seen', '');
  const { code, screen } = await run.ended;
  expect(code).toBe(0);
  expect(screen).toContain('2 Stop hooks ran');
});
