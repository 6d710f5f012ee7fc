import { userInfo } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { dropEmptyHome, stopgateHome, whyNoHome } from './stopgateHome.ts';

afterEach(() => vi.unstubAllEnvs());

it('takes an empty HOME for none, and asks the system', () => {
  vi.stubEnv('HOME', '');
  const ofSystem = path.join(userInfo().homedir, '.stopgate');
  expect([stopgateHome({ HOME: '' }), stopgateHome({})]).toEqual([ofSystem, ofSystem]);
  const env = { HOME: '', PATH: '/bin' };
  dropEmptyHome(env);
  expect(env).toEqual({ PATH: '/bin' });
});

it.each([
  [{ HOME: '/home/ada' }, null],
  [{ HOME: '' }, null],
  [{}, null],
  [{ HOME: 'ada' }, 'HOME must be an absolute path, got "ada"'],
  [{ HOME: 'ada', STOPGATE_HOME: '/srv/gate' }, 'HOME must be an absolute path, got "ada"'],
  [{ HOME: '/home/ada', STOPGATE_HOME: './gate' }, 'STOPGATE_HOME must be an absolute path, got "./gate"'],
])('with %j: %s', (env, why) => {
  expect(whyNoHome(env)).toBe(why);
});
