import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { commandEnvironment } from './commandEnvironment.ts';

const facts = {
  env: { PATH: `.::bin:${tmpdir()}/stopgate-project/bin:/usr/bin:/bin` },
  processes: spawnProcesses(),
  signal: new AbortController().signal,
};
const folder = `${tmpdir()}/stopgate-project`;

it.each([
  ['wc -l a', 'off', '/usr/bin:/bin'],
  ['cat a | head', 'off', '/usr/bin:/bin'],
  // a rule allowed it, or the project is trusted: as the user would run it
  ['npm test', 'off', facts.env.PATH],
  ['wc -l a', 'run', facts.env.PATH],
] as const)('%s finds its programs where git programs are %s: %s', async (command, repositoryPrograms, searchPath) => {
  const found = await commandEnvironment(command, folder, { ...facts, repositoryPrograms });
  expect(found).toMatchObject({ type: 'environment', env: { PATH: searchPath } });
});
