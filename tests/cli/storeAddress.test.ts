import { expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

it.each([
  'postgres://u:p%zz@127.0.0.1:1/db',
  'postgres://u%zz:secret@127.0.0.1:1/db',
  'postgres://u:secret@127.0.0.1:99999/db',
  'postgres://u:secret@127.0.0.1:1,127.0.0.1:x/db',
])('an address that cannot be read is one sentence: %s', async (address) => {
  await using project = await testProject();
  const { code, stderr } = await project.run(['task', 'list', '--store', address]);
  expect({ code, stderr }).toEqual({ code: 69, stderr: expect.stringContaining('The address of the store') });
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/internal error|secret|p%zz/);
});
