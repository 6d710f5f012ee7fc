// The hook engine in a process of its own: node hooks/child.mjs commands|functions SETUP-JSON
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { summary } from '../lib/statistics.mjs';

const MB = 1024 * 1024;

const [mode, json] = process.argv.slice(2);
const setup = JSON.parse(json);
const { onHookEvent, openEngine, readHooks } = await import(setup.engine);
const modes = { commands: measureCommands, functions: measureFunctions };
console.log(JSON.stringify(await modes[mode]()));

/** A number of hooks on one event and as many raw spawns, in turns, in a process of the size asked for. */
async function measureCommands() {
  const { count, residentMb, helperScript } = setup;
  const ballast = touchedBuffers(residentMb);
  const { runner, processes, fallback } = openEngine(settingsHooks(count), helperScript);
  await processes.warm();
  const contests = {
    hooks: () => fire(runner, count),
    spawns: () => Promise.all(Array.from({ length: count }, rawSpawn)),
  };
  const times = await inTurns(contests, setup);
  await processes.endAll();
  if (fallback() !== undefined) throw new Error(fallback());
  return { ...times, residentMb: process.memoryUsage.rss() / MB, ballast: ballast.length };
}

/** One round is one of each, so whatever slows the machine for a moment slows neighbours. */
async function inTurns(contests, { warmUp, rounds }) {
  const times = Object.fromEntries(Object.keys(contests).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, run] of Object.entries(contests)) {
      const startedAt = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, summary(samples).median]));
}

/** µs a fired event, in blocks: a clock that is read at every event would be part of what it measures. */
async function measureFunctions() {
  const allow = () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });
  const watch = () => {};
  const blocks = { answers: [], watches: [] };
  const runners = { answers: functionRunner(allow), watches: functionRunner(watch) };
  for (let block = -setup.warmUp; block < setup.rounds; block++) {
    for (const [name, runner] of Object.entries(runners)) {
      const us = await blockUs(runner, 500);
      if (block >= 0) blocks[name].push(us);
    }
  }
  return { answers: summary(blocks.answers).median, watches: summary(blocks.watches).median };
}

function functionRunner(callback) {
  return openEngine([onHookEvent('PreToolUse', callback, { matcher: 'Read' })]).runner;
}

async function blockUs(runner, times) {
  const startedAt = performance.now();
  for (let i = 0; i < times; i++) await fire(runner, 1);
  return ((performance.now() - startedAt) * 1000) / times;
}

/** As a turn does it: the event goes in, everything that is told is taken. Hooks that did not run are fast, so it checks. */
async function fire(runner, expected) {
  let succeeded = 0;
  for await (const event of runner.run(request())) {
    if (event.type === 'attachment' && event.attachment.type === 'hook_success') succeeded++;
  }
  if (succeeded !== expected) throw new Error(`${succeeded} of ${expected} hooks succeeded`);
}

function request() {
  return {
    event: 'PreToolUse',
    input: { tool_name: 'Read', tool_input: { file_path: '/tmp/note.txt' }, tool_use_id: 'toolu_1' },
    subject: { sessionId: 'bench', transcriptPath: '/tmp/t.jsonl', cwd: process.cwd(), permissionMode: 'default' },
    signal: new AbortController().signal,
    toolUseId: 'toolu_1',
  };
}

/** The same command twice would run once. */
function settingsHooks(count) {
  const commands = Array.from({ length: count }, (_, n) => ({
    type: 'command',
    command: n === 0 ? 'true' : `true ${n}`,
  }));
  return readHooks({ PreToolUse: [{ matcher: 'Read', hooks: commands }] });
}

/** With the pipes that a hook needs, until they are closed: less would not hear what a hook prints. */
function rawSpawn() {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', 'true']);
    child.on('error', reject);
    child.on('close', resolve);
    child.stdin.end();
  });
}

function touchedBuffers(residentMb) {
  const buffers = [];
  while (process.memoryUsage.rss() < residentMb * MB) buffers.push(Buffer.alloc(MB, 1));
  return buffers;
}
