import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestFleet } from '../support/testFleet.ts';

let fleet: TestFleet;
beforeEach(() => {
  fleet = new TestFleet();
});
afterEach(() => fleet.store.close());

/** A worker of a machine, whose process id means nothing on another one. */
async function works(workerId: string, host: string) {
  await fleet.store.registerWorker({ workerId, host, pid: 4_000_000, pidStart: '1', kind: 'default' });
  return fleet.claims(workerId);
}

it('leaves the workers of another machine with the same name alone', async () => {
  const [id = ''] = await fleet.add('one');
  await works('other', 'here#b');
  fleet.up({ host: 'here#a' });
  await fleet.pass(60_000, ['other']);
  expect(await fleet.worker('other')).toMatchObject({ state: 'live', taskId: id });
});

it('knows a dead worker of its own machine, also after that was renamed', async () => {
  const [id = ''] = await fleet.add('one');
  await works('own', 'there#a');
  fleet.up({ host: 'here#a' });
  await fleet.pass(20_000);
  expect(await fleet.worker('own')).toMatchObject({ state: 'lost' });
  expect(await fleet.store.task({ id })).toMatchObject({ task: { state: 'queued', reclaims: 1 } });
});
