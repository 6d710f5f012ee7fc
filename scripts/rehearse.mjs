import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { startModelServer } from '../src/testing/modelServer.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Runs once what hosts and people start often. `coverage` gets a record of the functions that each process called. */
export async function rehearse({ dist, folder, coverage }) {
  const home = path.join(folder, 'home');
  const project = path.join(folder, 'project');
  makeProject(project, { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' });
  const env = { PATH: process.env.PATH, HOME: home, STOPGATE_TRUST_PROJECT: '1', NODE_V8_COVERAGE: coverage };
  const start = async (file, words, { input = {}, more = {} } = {}) => {
    const running = run(process.execPath, [path.join(dist, file), ...words], {
      cwd: project,
      env: { ...env, ...more },
      timeout: 60_000,
    });
    running.child.stdin.end(JSON.stringify(input));
    return (await running).stdout;
  };
  const hook = (event, input = {}, more = {}) =>
    start('hook.cjs', ['hook', event], { input: { session_id: 's', cwd: project, ...input }, more });
  await toolCalls(hook);
  await stops(hook, project);
  await work({ hook, start, store: path.join(home, '.stopgate/stopgate.db'), dist, folder });
  await session(start, project);
}

/** Nothing of the person's own git is used: the build may run inside a git hook. */
function makeProject(project, env) {
  mkdirSync(project, { recursive: true });
  const config = { checks: [{ name: 'check', command: 'sh check.sh' }], protect: ['kept/**'] };
  writeFileSync(path.join(project, 'stopgate.config.json'), JSON.stringify(config));
  writeFileSync(path.join(project, 'check.sh'), 'exit 0\n');
  writeFileSync(path.join(project, 'note.txt'), 'words\n');
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@c', ...words], { cwd: project, env });
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
}

/** In the last stretch of a budget. */
async function toolCalls(hook) {
  const clock = { STOPGATE_BUDGET_END: String(Math.floor(Date.now() / 1000) + 100) };
  const call = { tool_name: 'Bash', tool_input: { command: 'npm test' } };
  await hook('pre-tool-use', { hook_event_name: 'PreToolUse', ...call }, clock);
  await hook('post-tool-use', { hook_event_name: 'PostToolUse', ...call }, clock);
}

/** With nothing changed, and with a change that is checked. */
async function stops(hook, project) {
  await hook('session-start', { hook_event_name: 'SessionStart', source: 'startup' });
  await hook('stop', { hook_event_name: 'Stop' });
  writeFileSync(path.join(project, 'note.txt'), 'other words\n');
  await hook('stop', { hook_event_name: 'Stop' });
}

/** A task from begin to end, and the stop of a worker for whom there is none. */
async function work({ hook, start, store, dist, folder }) {
  const { openStore } = require(path.join(dist, 'index.cjs'));
  await using opened = await openStore(store);
  await opened.registerWorker({ workerId: 'w', idleLimitMs: 0, sessionId: 's' });
  await start('cli.cjs', ['task', 'add', 'Do it']);
  const { lease } = JSON.parse(await start('cli.cjs', ['task', 'claim', '--json', '--worker', 'w']));
  await start('cli.cjs', ['task', 'complete', lease.taskId, '--epoch', String(lease.epoch), '--worker', 'w']);
  await hook(
    'stop',
    { hook_event_name: 'Stop', cwd: folder },
    { STOPGATE_WORKER: 'w', STOPGATE_WORKER_INCARNATION: '1' },
  );
}

/** One prompt with two tool calls. */
async function session(start, project) {
  const calls = [
    { name: 'Read', input: { file_path: path.join(project, 'note.txt') } },
    { name: 'Bash', input: { command: 'true', description: 'Do nothing' } },
  ];
  const server = await startModelServer((_body, at) => (calls[at] ? { tools: [calls[at]] } : { text: 'Done.' }));
  const words = ['-p', 'Go.', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Read,Bash(true)'];
  try {
    await start('cli.cjs', words, { more: { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: server.url } });
  } finally {
    await server.close();
  }
}
