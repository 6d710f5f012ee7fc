import { performance } from 'node:perf_hooks';
import { runAgent } from '../lib/agents.mjs';
import { startModelServer } from '../lib/modelServer.mjs';
import { inSwappedPairs } from '../lib/statistics.mjs';

const THINKING_MS = 80;

/**
 * Runs several agents side by side, of which only one works at a time: the model server answers the first and waits for its
 * next request, then the second, and so on, turn by turn. So a slow second of the machine affects all of them. Returns the
 * ms of each turn of each run, from an answer to the next request.
 *
 * A run is `{ agent, place, allowedTools, answer }`; its last answer, of number `turns`, must end it. Runs come in pairs
 * to be compared, which swap places at every other turn.
 */
export async function inLockstep(runs, turns) {
  await using servers = new AsyncDisposableStack();
  const seats = [];
  for (const { answer } of runs) seats.push(await takeSeat(answer, servers));
  const ended = runs.map(({ agent, place, allowedTools }, n) =>
    runAgent(agent, { place, url: seats[n].server.url, allowedTools }),
  );
  const times = seats.map(() => []);
  // an agent that fails leaves the others waiting, so the first failure counts
  await Promise.race([step(seats, turns, times), failureOf(ended)]);
  await Promise.all(ended);
  return times;
}

async function step(seats, turns, times) {
  await Promise.all(seats.map((seat) => seat.arrival(0)));
  for (let n = 0; n < turns; n++) {
    for (const [index, seat] of inSwappedPairs([...seats.entries()], n)) {
      // a real model takes longer; work that an agent does meanwhile must not fall into another agent's turn
      await new Promise((resolve) => setTimeout(resolve, THINKING_MS));
      const answeredAt = performance.now();
      seat.release(n);
      await seat.arrival(n + 1);
      times[index].push(seat.server.requests[n + 1].at - answeredAt);
    }
  }
  for (const seat of seats) seat.release(turns);
}

/** A model server that answers a request only on demand. */
async function takeSeat(answer, servers) {
  const arrivals = gates();
  const releases = gates();
  const server = await startModelServer(async (n) => {
    arrivals(n).resolve();
    await releases(n).promise;
    return answer(n);
  });
  servers.use(server);
  return { server, arrival: (n) => arrivals(n).promise, release: (n) => releases(n).resolve() };
}

function gates() {
  const all = new Map();
  return (n) => {
    if (!all.has(n)) all.set(n, Promise.withResolvers());
    return all.get(n);
  };
}

function failureOf(promises) {
  return new Promise((_, reject) => {
    for (const promise of promises) promise.catch(reject);
  });
}
