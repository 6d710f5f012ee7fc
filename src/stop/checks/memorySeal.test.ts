import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { checksMemory, gatesFolder } from './memory.ts';
import { type Check, NEW_SESSION } from './types.ts';

const check = { name: 't', file: 'false', args: [], cwd: '/p', timeoutMs: 1 } as unknown as Check;

it('does not remember a pass, or a start, that something else wrote down', async () => {
  await using home = await tempFolder();
  const memory = checksMemory({ stopgateHome: home.path, folder: '/p', sessionId: 's' });
  await memory.rememberPassed([check], 'one');
  expect(await memory.hasPassed(check, 'one')).toBe(true);
  const file = path.join(gatesFolder(home.path, '/p'), 'passed.json');
  const [text = ''] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${text.replace('one', 'two')}\n`);
  expect(await memory.hasPassed(check, 'two')).toBe(false);
  await memory.rememberSession({ ...NEW_SESSION, baseline: 'then' });
  expect((await memory.session()).baseline).toBe('then');
});
