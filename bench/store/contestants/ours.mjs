import { joinedLoop, pullLoop, warmUp } from '../pullLoop.mjs';

const BATCH = 10_000;

/** Both stores through one interface; `place` is a path or postgres://…, as on the command line. */
export async function open({ library, ids, place, number, joined = false, store: shared }) {
  const { newClaimKey } = await import(ids);
  const store = shared ?? (await openAt(library, place));
  const workerId = `worker-${number}`;
  const { incarnation } = must(await store.registerWorker({ workerId, kind: 'bench' }), 'registered');
  const claim = async () => {
    const outcome = await store.claim({ workerId, incarnation, claimKey: newClaimKey() });
    return outcome.type === 'empty' ? undefined : must(outcome, 'claimed');
  };
  const complete = async ({ lease }, next) => must(await store.complete({ lease, result: 'done', next }), 'accepted');
  const close = () => store.close();
  await warmUp({ claim, complete });
  if (!joined) return { work: (order) => pullLoop({ claim, complete }, order), close };
  const completeAndClaim = async (claimed) => {
    const { next } = await complete(claimed, { claimKey: newClaimKey() });
    return next.type === 'empty' ? undefined : must(next, 'claimed');
  };
  const begun = await claim();
  const first = begun && (await completeAndClaim(begun));
  return { work: (order) => joinedLoop({ first, complete, completeAndClaim }, order), close, before: 2 };
}

/** As `fleet up` does for its workers: one process opens the file and serves it on a socket. */
export function serve({ library, place }) {
  return openAt(library, place, { serve: true });
}

export async function fill({ library, place, count }) {
  const store = await openAt(library, place);
  for (let left = count; left > 0; left -= BATCH) {
    const tasks = Array.from({ length: Math.min(left, BATCH) }, () => ({
      title: 'Count the stars',
      body: 'All of them.',
    }));
    must(await store.addTasks({ tasks }), 'added');
  }
  await store.close();
}

async function openAt(library, place, more = {}) {
  const { openStore } = await import(library);
  const store = await openStore(place, { connections: 1, ...more });
  if ('reason' in store) throw new Error(store.reason);
  return store;
}

function must(outcome, type) {
  if (outcome.type !== type) throw new Error(`not ${type}: ${JSON.stringify(outcome)}`);
  return outcome;
}
