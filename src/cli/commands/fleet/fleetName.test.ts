import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../store/openStore.ts';
import { thisHost } from '../../../system/thisHost.ts';
import { tempFolder } from '../../../testing/tempFolder.ts';
import { fleetName, fleetNameHere } from './fleetName.ts';

const earlier = hostname().split('.')[0] ?? '';

describe('the name of a fleet', () => {
  it('has its machine and its queue by default', () => {
    expect(fleetName({}, 'box-4fa2c1')).toBe('box-4fa2c1');
    expect(fleetName({ queue: 'default' }, 'box-4fa2c1')).toBe('box-4fa2c1');
    expect(fleetName({ queue: 'to review' }, 'a.box-4fa2c1')).toBe('a-box-4fa2c1-to-review');
    expect(fleetName({ name: 'nightly', queue: 'q' })).toBe('nightly');
    expect(fleetName({})).toMatch(/-[0-9a-f]{6}$/);
  });

  it.each([
    ['nothing runs', [], {}, fleetName({})],
    ['its workers run here', [[`${earlier}-w2`, thisHost()]], {}, earlier],
    ['they run on another machine', [[`${earlier}-w2`, `${hostname()}#0000000000.1`]], {}, fleetName({})],
    ['they are of another queue', [[`${earlier}-w2`, thisHost()]], { queue: 'q' }, fleetName({ queue: 'q' })],
    ['another one is named', [[`${earlier}-w2`, thisHost()]], { name: 'x' }, 'x'],
  ] as const)(
    'stays that of an earlier version only while its fleet runs here: %s',
    async (_case, workers, options, name) => {
      await using folder = await tempFolder();
      const store = await openStore(':memory:');
      if ('type' in store) throw new Error(store.reason);
      for (const [workerId, host] of workers) await store.registerWorker({ workerId, host, kind: 'default' });
      const place = { store, location: ':memory:', stopgateHome: folder.path };
      expect(await fleetNameHere(options, place)).toBe(name);
      await store.close();
    },
  );
});
