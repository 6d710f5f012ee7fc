import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePlace, runAgent, stopgate } from './lib/agents.mjs';
import { runContestant } from './lib/contestant.mjs';
import { startModelServer } from './lib/modelServer.mjs';
import { compileOurs } from './lib/ours.mjs';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'history',
  about: 'a session of 5,000 messages and a 10 MB tool output: cost of late steps, what is sent, memory',
  run,
};

const STEPS = 2500;
/** Steps at each end of a session that are compared. */
const WINDOW = 250;
const OUTPUT_BYTES = 10 * 1024 * 1024;
/** How much a request may grow when a tool printed 10 MB. */
const SENT_LIMIT_BYTES = 100_000;
const CHILD = path.join(import.meta.dirname, 'history', 'child.mjs');

async function run({ quick }) {
  const ours = await compileOurs();
  const loop = { first: [], last: [], peak: [] };
  const whole = { first: [], last: [], peak: [], sent: [], body: [] };
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const { firstUs, lastUs, peakMb } = await runContestant(CHILD, [
      String(STEPS),
      String(WINDOW),
      JSON.stringify(ours),
    ]);
    push(loop, { first: firstUs, last: lastUs, peak: peakMb });
    push(whole, await wholeSession());
  }
  return {
    rows: [
      row(`loop: a step, last ${WINDOW} of ${STEPS.toLocaleString('en')}`, 'µs', {
        last: loop.last,
        first: loop.first,
      }),
      row('loop: peak memory', 'MB', { stopgate: loop.peak }),
      row(`command: a turn, last ${WINDOW} of ${STEPS.toLocaleString('en')}`, 'ms', {
        last: whole.last,
        first: whole.first,
      }),
      row('command: body of the last request', 'KB', { stopgate: whole.body }),
      row('command: what is sent of a 10 MB output', 'KB', { stopgate: whole.sent }),
      row('command: peak memory', 'MB', { stopgate: whole.peak }),
    ],
    goals: [
      goal('loop: a late step, × an early one', { ours: loop.last, theirs: loop.first, limit: 1.2 }),
      goal(`sent of a 10 MB output, × ${SENT_LIMIT_BYTES / 1000} KB`, {
        ours: whole.sent,
        theirs: whole.sent.map(() => SENT_LIMIT_BYTES / 1000),
        limit: 1,
      }),
    ],
    notes: [
      'The loop is `query()` with an in-process model and the real conversion of requests; the command is bin/stopgate.js with the Read tool against a loopback model server.',
      "The command's late turns cost more because the API takes the whole conversation with every request: what grows is the writing of its body, in step with its size.",
    ],
  };
}

/** 2,500 Read turns, then one Bash call that prints 10 MB, then the end. */
async function wholeSession() {
  using place = makePlace();
  const file = path.join(place.project, 'note.txt');
  writeFileSync(file, 'A note\nis short.\n');
  const printMuch = { name: 'Bash', input: { command: `head -c ${OUTPUT_BYTES} /dev/zero | tr '\\0' 'x'` } };
  await using server = await startModelServer((n) => {
    if (n < STEPS) return { name: 'Read', input: { file_path: file } };
    return n === STEPS ? printMuch : { text: 'Done.' };
  });
  const allowedTools = ['Read', 'Bash(head *)', 'Bash(tr *)'];
  const { peakMb } = await runAgent(stopgate, { place, url: server.url, allowedTools, limitMs: 300_000 });
  const { requests } = server;
  if (requests.length !== STEPS + 2) throw new Error(`the session made ${requests.length} requests, not ${STEPS + 2}`);
  const [before, after] = requests.slice(-2);
  if (!after.body.includes('xxxxxxxx'))
    throw new Error('the 10 MB command did not run, or nothing of its output was sent');
  return {
    first: (requests[WINDOW].at - requests[0].at) / WINDOW,
    last: (requests[STEPS].at - requests[STEPS - WINDOW].at) / WINDOW,
    peak: peakMb,
    sent: (after.bytes - before.bytes) / 1000,
    body: before.bytes / 1000,
  };
}

function push(lists, values) {
  for (const [name, value] of Object.entries(values)) lists[name].push(value);
}
