// Many workers in one process, over one connection, as `worker run --slots` has them.
import { open as openOne } from './ours.mjs';

export { fill } from './ours.mjs';

export async function open({ number, workers, ...setup }) {
  const { library, place } = setup;
  const { openStore } = await import(library);
  const store = await openStore(place, { connections: 1 });
  if ('reason' in store) throw new Error(store.reason);
  const all = await Promise.all(
    Array.from({ length: workers }, (_, n) => openOne({ ...setup, number: number * workers + n, joined: true, store })),
  );
  return {
    work: (order) => Promise.all(all.map((one) => one.work(order))),
    close: () => store.close(),
    before: 2 * workers,
  };
}
