import { expect, it } from 'vitest';
import { socketPath } from './socketPath.ts';

it('puts the socket beside the database', () => {
  expect(socketPath('/home/me/.stopgate/stopgate.db')).toBe('/home/me/.stopgate/stopgate.db.sock');
});

it('finds a short place for a long path, another one for each', () => {
  const deep = `/home/me/${'very/deep/'.repeat(20)}`;
  const [one, two] = [socketPath(`${deep}one.db`), socketPath(`${deep}two.db`)];
  expect(Buffer.byteLength(`${one}.1234567`)).toBeLessThan(104);
  expect(one).not.toBe(two);
  expect(socketPath(`${deep}one.db`)).toBe(one);
});
