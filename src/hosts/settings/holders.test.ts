import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { startOfProcess } from '../../system/processLife.ts';
import { thisHost } from '../../system/thisHost.ts';
import { newHolder, stillHolds } from './holders.ts';

const launched = newHolder({ id: 'l', kind: 'launch', since: 0, entries: [] });
const renamed = thisHost().replace(/^[^#]*/, 'renamed');

async function gone() {
  const child = spawn('true');
  const pidStartedAt = startOfProcess(child.pid ?? 0) ?? '1';
  await once(child, 'close');
  return { pid: child.pid ?? 0, pidStartedAt };
}

it.each([
  ['this process', {}, true],
  ['this process, before the machine was renamed', { host: renamed }, true],
  ['a process of an older version', { host: hostname() }, true],
  ['a process that is gone', { ...(await gone()) }, false],
  ['one that is gone, before the machine was renamed', { ...(await gone()), host: renamed }, false],
  ['one that is gone, of an older version', { ...(await gone()), host: hostname() }, false],
  ['a pid of another machine with the same name', { ...(await gone()), host: `${hostname()}#0000000000.1` }, true],
  ['an init, whose process is gone', { ...(await gone()), kind: 'init' as const }, true],
])('a hold of %s', (_name, facts, holds) => {
  expect(stillHolds({ ...launched, ...facts })).toBe(holds);
});
