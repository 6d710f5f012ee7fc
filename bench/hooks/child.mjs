// The hook engine in its own process, which measures one sample per IPC message: node hooks/child.mjs SETUP-JSON
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

const MB = 1024 * 1024;

const { engine, helperScript, count, residentMb = 0 } = JSON.parse(process.argv[2]);
const { onHookEvent, openEngine, readHooks } = await import(engine);
const ballast = touchedBuffers();
const commands = openEngine(settingsHooks(), helperScript);
const functions = { answers: functionRunner(allow), watches: functionRunner(() => {}) };
await commands.processes.warm();

const SAMPLES = {
  hooks: () => timed(() => fire(commands.runner, count)),
  spawns: () => timed(() => Promise.all(Array.from({ length: count }, rawSpawn))),
  answers: () => blockUs(functions.answers),
  watches: () => blockUs(functions.watches),
  // uses the ballast, because unused objects are collected
  residentMb: () => (ballast.every((buffer) => buffer[0] === 1) ? process.memoryUsage.rss() / MB : 0),
};

process.on('message', async (what) => process.send(await SAMPLES[what]()));
process.on('disconnect', () => commands.processes.endAll());
process.send('ready');

async function timed(act) {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/**
 * µs per event, of this thread's own processor time, because the loop never waits. In blocks, because reading a clock at
 * every event would be part of the measurement.
 */
async function blockUs(runner) {
  const times = 500;
  const before = process.threadCpuUsage();
  for (let n = 0; n < times; n++) await fire(runner, 1);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / times;
}

/** As in a turn: fires an event and consumes all messages. Checks that the hooks did run. */
async function fire(runner, expected) {
  let succeeded = 0;
  for await (const event of runner.run(request())) {
    if (event.type === 'attachment' && event.attachment.type === 'hook_success') succeeded++;
  }
  if (succeeded !== expected) throw new Error(`${succeeded} of ${expected} hooks succeeded`);
  if (commands.fallback() !== undefined) throw new Error(commands.fallback());
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
function settingsHooks() {
  const hooks = Array.from({ length: count }, (_, n) => ({ type: 'command', command: n === 0 ? 'true' : `true ${n}` }));
  return readHooks({ PreToolUse: [{ matcher: 'Read', hooks }] });
}

function functionRunner(callback) {
  return openEngine([onHookEvent('PreToolUse', callback, { matcher: 'Read' })]).runner;
}

function allow() {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
}

/** With the pipes that a hook needs, until they are closed. */
function rawSpawn() {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', 'true']);
    child.on('error', reject);
    child.on('close', resolve);
    child.stdin.end();
  });
}

function touchedBuffers() {
  const buffers = [];
  while (process.memoryUsage.rss() < residentMb * MB) buffers.push(Buffer.alloc(MB, 1));
  return buffers;
}
