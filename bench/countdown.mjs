import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
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
const TOOL_BATCH = JSON.stringify({
  session_id: 's',
  prompt_id: 'p',
  cwd: '/',
  hook_event_name: 'PostToolBatch',
  tool_calls: [{ tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't', tool_response: 'ok' }],
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

/** A worker whose idle window has passed: its stop opens the store, tries to claim, and may stop. */
async function registerWorker(file) {
  const { openStore } = await import('../dist/index.cjs');
  const store = await openStore(file);
  await store.registerWorker({ workerId: 'w', idleLimitMs: 0, sessionId: 's' });
  await store.close();
}

/** The remaining seconds, and whether the landing then decides without Node. */
const TIMES_LEFT = [
  { name: '90 min', seconds: 5400, shellAlone: true },
  { name: '20 min', seconds: 1200, shellAlone: true },
  { name: '5 min', seconds: 300, shellAlone: true },
  { name: '5 s', seconds: 5, shellAlone: false },
];

const before = (name) => `landing.sh, ${name} left`;
const after = (name) => `budget-countdown.sh, ${name} left`;

/** What Claude Code's settings run around one tool call, with the remaining time for each. */
function aroundCalls(env) {
  const timed = (seconds) => () => ({ ...env, STOPGATE_BUDGET_END: String(Math.floor(Date.now() / 1000) + seconds) });
  const pairs = TIMES_LEFT.flatMap(({ name, seconds }) => [
    [
      before(name),
      { file: path.join(hooks, 'landing.sh'), args: [process.execPath, script], env: timed(seconds), input: TOOL_CALL },
    ],
    [
      after(name),
      {
        file: path.join(hooks, 'budget-countdown.sh'),
        args: ['PostToolBatch'],
        env: timed(seconds),
        input: TOOL_BATCH,
      },
    ],
  ]);
  return Object.fromEntries(pairs);
}

function sides(home) {
  const end = String(Math.floor(Date.now() / 1000) + 100);
  const env = { PATH: process.env.PATH, HOME: home, STOPGATE_HOME: home };
  const clock = { ...env, STOPGATE_BUDGET_END: end };
  const node = process.execPath;
  return {
    'sh -c true': { file: 'sh', args: ['-c', 'true'], env },
    ...aroundCalls(env),
    'gate-guard.sh': { file: path.join(hooks, 'gate-guard.sh'), args: [node, script], env, input: TOOL_CALL },
    'node -e 0': { file: node, args: ['-e', '0'], env },
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
      ...TIMES_LEFT.map(({ name }) =>
        row(`one tool call, ${name} left`, 'ms', {
          'both hooks together': sums(samples[before(name)], samples[after(name)]),
          ...pick(before(name), after(name), 'sh -c true'),
        }),
      ),
      row('a call that could change files', 'ms', pick('gate-guard.sh', 'sh -c true')),
      row(
        'a Node hook, one process',
        'ms',
        pick('hook pre-tool-use', 'hook stop', 'hook stop, store opened', 'node -e 0'),
      ),
    ],
    goals: [
      ...TIMES_LEFT.flatMap(({ name, shellAlone }) =>
        [...(shellAlone ? [before(name)] : []), after(name)].map((side) =>
          goal(`${side}, × sh -c true`, { ours: samples[side], theirs: shell, limit: 1.35 }),
        ),
      ),
      goal('gate-guard.sh, × sh -c true', { ours: samples['gate-guard.sh'], theirs: shell, limit: 1.35 }),
      goal('hook pre-tool-use, × node -e 0', { ours: samples['hook pre-tool-use'], theirs: node, limit: 1.15 }),
      goal('hook stop with the store opened, × node -e 0', {
        ours: samples['hook stop, store opened'],
        theirs: node,
        limit: 1.5,
      }),
    ],
    notes: [
      'One process after the other, interleaved, each with the payload on its standard input.',
      'A tool call costs landing.sh before it and, once for its batch, budget-countdown.sh after it. With 5 s left landing.sh starts Node.',
    ],
  };
}

const sums = (one, other) => one.map((sample, at) => sample + other[at]);

/** From the spawn to the exit, as a host sees it. */
function once({ file, args, env, input }) {
  return new Promise((resolve, reject) => {
    const surroundings = typeof env === 'function' ? env() : env;
    const startedAt = performance.now();
    const child = spawn(file, args, { env: surroundings, stdio: ['pipe', 'pipe', 'pipe'] });
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
