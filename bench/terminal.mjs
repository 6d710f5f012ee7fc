import { makePlace, stopgate } from './lib/agents.mjs';
import { goal, row } from './lib/report.mjs';
import { typeIntoFlood } from './terminal/flood.mjs';
import { openTerminal } from './terminal/terminalProcess.mjs';
import { percentile } from './terminal/typing.mjs';

const FIRST_FRAME_MS = 150;
const ECHO_MS = 30;
const MEMORY_MB = 600;

export const bench = {
  name: 'terminal',
  about: 'the terminal session: ms to its first frame, from key to echo while it is flooded, memory',
  run,
};

async function run({ quick }) {
  const start = await firstFrames(quick ? 3 : 15);
  const floods = {};
  for (const name of ['idle', 'endless', 'answer', 'turns']) floods[name] = await typeIntoFlood(name, quick ? 0.05 : 1);
  const { idle, ...flooded } = floods;
  const at = (share, { times }, kind) => [percentile(times[kind], share)];
  const typing = (what, share, kind) =>
    Object.entries(flooded).map(([name, flood]) =>
      row(`${what}, ${name}`, 'ms', { flooded: at(share, flood, kind), idle: at(share, idle, kind) }),
    );
  const limited = (what, samples, limit) =>
    goal(`${what}, × ${limit}`, { ours: samples, theirs: samples.map(() => limit), limit: 1 });
  return {
    rows: [
      row('first frame, warm', 'ms', { stopgate: start.warm, 'node -e 0': start.node }),
      row('first frame, cold', 'ms', { stopgate: start.cold, 'node -e 0': start.node }),
      ...typing('key to echo, median', 0.5, 'seen'),
      ...typing('key to echo, p99', 0.99, 'seen'),
      ...typing('processor time, key to echo, p99', 0.99, 'processor'),
      ...Object.entries(flooded).map(([name, { after }]) =>
        row(`peak memory, ${name}`, 'MB', { flooded: [after.peak], idle: [idle.after.peak] }),
      ),
    ],
    goals: [
      limited(
        'first frame after node -e 0, ms',
        start.warm.map((ms, n) => ms - start.node[n]),
        FIRST_FRAME_MS,
      ),
      ...Object.entries(flooded).flatMap(([name, flood]) => [
        limited(`key to echo p99 (${name}), ms`, at(0.99, flood, 'seen'), ECHO_MS),
        limited(`processor time p99 (${name}), ms`, at(0.99, flood, 'processor'), ECHO_MS),
        limited(`peak memory (${name}), MB`, [flood.after.peak], MEMORY_MB),
      ]),
    ],
    notes: Object.entries(floods).map(
      ([name, { times, bytes, frames, cleared, outside, calls, compactions, largest }]) =>
        `${name}: ${times.seen.length} keys, ${frames} frames (${cleared} cleared more than their part, ${outside} texts outside of one), ` +
        `${(bytes / 1e6).toFixed(1)} MB printed, ${calls} calls, ${compactions} compactions, the largest request ${(largest / 1e6).toFixed(1)} MB.`,
    ),
  };
}

/** From the start of the process, on a pseudo-terminal; the sides alternate. */
async function firstFrames(rounds) {
  const samples = { warm: [], cold: [], node: [] };
  using place = makePlace();
  await firstFrameMs(place);
  for (let round = 0; round < rounds; round++) {
    samples.node.push(await bareNodeMs(place));
    samples.warm.push(await firstFrameMs(place));
    using fresh = makePlace();
    samples.cold.push(await firstFrameMs(fresh));
  }
  return samples;
}

async function firstFrameMs(place) {
  await using terminal = openTerminal(stopgate.command, { place });
  const ms = (await terminal.seen('/help')) - terminal.startedAt;
  terminal.type('\u0004');
  await terminal.ended;
  return ms;
}

async function bareNodeMs(place) {
  await using terminal = openTerminal([process.execPath, '-e', '0'], { place });
  const { at } = await terminal.ended;
  return at - terminal.startedAt;
}
