import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'countdown',
  about: 'ms of what our settings run at every tool call and at a stop, beside sh -c true and node -e 0',
  run,
};

const root = path.join(import.meta.dirname, '..');
const hooks = path.join(root, 'profiles/default/hooks');
const script = path.join(root, 'dist/hook.cjs');
const TOOL_CALL = JSON.stringify({
  session_id: 's',
  prompt_id: 'p',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
});
const STOP = JSON.stringify({ session_id: 's', prompt_id: 'p', cwd: tmpdir(), hook_event_name: 'Stop' });

async function run({ quick }) {
  const home = mkdtempSync(path.join(tmpdir(), 'stopgate-bench-'));
  try {
    await registerWorker(path.join(home, 'stopgate.db'));
    return await measure(sides(home), quick ? 10 : 60);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A worker whose idle window is over: its stop opens the store, tries to claim, and lets it go. */
async function registerWorker(file) {
  const store = openSqliteStore({ path: file });
  await store.registerWorker({ workerId: 'w', idleLimitMs: 0, sessionId: 's' });
  await store.close();
}

function sides(home) {
  const end = String(Math.floor(Date.now() / 1000) + 1000);
  const far = String(Math.floor(Date.now() / 1000) + 100_000);
  const env = { PATH: process.env.PATH, HOME: home, STOPGATE_HOME: home };
  const clock = { ...env, STOPGATE_BUDGET_END: end };
  const node = process.execPath;
  return {
    'sh -c true': { file: 'sh', args: ['-c', 'true'], env },
    'budget-countdown.sh': { file: path.join(hooks, 'budget-countdown.sh'), args: [], env: clock, input: TOOL_CALL },
    'landing.sh, time left': {
      file: path.join(hooks, 'landing.sh'),
      args: [node, script],
      env: { ...env, STOPGATE_BUDGET_END: far },
      input: TOOL_CALL,
    },
    'both, as the settings have them': {
      file: 'sh',
      args: ['-c', `"${path.join(hooks, 'budget-countdown.sh')}" # stopgate`],
      env: clock,
      input: TOOL_CALL,
    },
    'node -e 0': { file: node, args: ['-e', '0'], env },
    'landing.sh, time short (Node)': {
      file: path.join(hooks, 'landing.sh'),
      args: [node, script],
      env: clock,
      input: TOOL_CALL,
    },
    'hook pre-tool-use': { file: node, args: [script, 'pre-tool-use'], env: clock, input: TOOL_CALL },
    'hook stop, store opened': {
      file: node,
      args: [script, 'hook', 'stop'],
      env: { ...env, STOPGATE_WORKER: 'w', STOPGATE_WORKER_INCARNATION: '1' },
      input: STOP,
    },
    'hook stop': { file: node, args: [script, 'hook', 'stop'], env, input: STOP },
  };
}

async function measure(contestants, rounds) {
  const samples = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (const contestant of Object.values(contestants)) await once(contestant);
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of Object.entries(contestants)) samples[name].push(await once(contestant));
  }
  const pick = (...names) => Object.fromEntries(names.map((name) => [name, samples[name]]));
  const shell = samples['sh -c true'];
  const node = samples['node -e 0'];
  return {
    rows: [
      row(
        'a shell hook, one process',
        'ms',
        pick('budget-countdown.sh', 'landing.sh, time left', 'both, as the settings have them', 'sh -c true'),
      ),
      row(
        'a Node hook, one process',
        'ms',
        pick('hook pre-tool-use', 'landing.sh, time short (Node)', 'hook stop', 'hook stop, store opened', 'node -e 0'),
      ),
    ],
    goals: [
      goal('budget-countdown.sh, × sh -c true', { ours: samples['budget-countdown.sh'], theirs: shell, limit: 1.35 }),
      goal('landing.sh while time is left, × sh -c true', {
        ours: samples['landing.sh, time left'],
        theirs: shell,
        limit: 1.35,
      }),
      goal('hook pre-tool-use, × node -e 0', { ours: samples['hook pre-tool-use'], theirs: node, limit: 1.15 }),
      goal('hook stop with the store opened, × node -e 0', {
        ours: samples['hook stop, store opened'],
        theirs: node,
        limit: 1.5,
      }),
    ],
    notes: ['One process after the other, interleaved, each with the payload on its standard input.'],
  };
}

/** From the spawn to the exit, as a host sees it. */
function once({ file, args, env, input }) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`${file} ${args.join(' ')} exited ${code}`));
      resolve(performance.now() - startedAt);
    });
  });
}
