import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { UserError } from '../../system/userError.ts';
import { refused } from './beforeStart.ts';

const thrownBy = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

it.each([
  ['a task that cannot have an agent', new UserError('its budget cannot be kept'), true],
  ['a system that refuses', thrownBy(() => mkdirSync('/proc/self/status/x')), false],
])('is an outcome: %s', async (_what, error, isFinal) => {
  expect(await refused(error).ended).toMatchObject({ ending: 'idle', noFolder: { isFinal } });
});

it('a bug stays one', () => {
  expect(() => refused(new TypeError('x is undefined'))).toThrow('x is undefined');
});
