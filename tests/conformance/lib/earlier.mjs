// One run of the same agent before (or beside) the one that the harness watches: a session to continue, a stream to look at.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { startModel } from '../model.mjs';

/**
 * { code, lines, requests } of `claude -p …` in the scenario's project and home, on a loopback model of its own.
 * `script` as in a scenario; its n-th answer is for the n-th request that has tools.
 */
export async function earlier(
  { root, proj, bin },
  { prompt = 'hello', args = [], script = [{ text: 'earlier' }], env = {}, format = 'stream-json', stdin = '' } = {},
) {
  let n = 0;
  const model = await startModel((b) =>
    (b.tools ?? []).length > 2 ? script[Math.min(n++, script.length - 1)] : { text: 'ok' },
  );
  const [cmd, ...pre] = bin.split(' ');
  const flags = [
    '-p',
    ...(prompt === null ? [] : [prompt]),
    '--output-format',
    format,
    ...(format === 'stream-json' ? ['--verbose'] : []),
    ...args,
  ];
  const child = spawn(cmd, [...pre, ...flags], {
    cwd: proj,
    env: {
      PATH: process.env.PATH,
      HOME: path.join(root, 'home'),
      // as in scenario.mjs
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      ORACLE_DIR: root,
      ANTHROPIC_API_KEY: 'dummy',
      ANTHROPIC_BASE_URL: model.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      STOPGATE_TRUST_PROJECT: '1',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  let so = '',
    se = '';
  child.stdout.setEncoding('utf8').on('data', (d) => (so += d));
  child.stderr.setEncoding('utf8').on('data', (d) => (se += d));
  const limit = setTimeout(() => child.kill('SIGKILL'), 40_000);
  const code = await new Promise((done) => child.on('close', done));
  clearTimeout(limit);
  model.close();
  const lines = so
    .split('\n')
    .filter(Boolean)
    .map((l) => {
      try {
        return JSON.parse(l);
      } catch {
        return { type: 'text', text: l };
      }
    });
  return { code, lines, stderr: se, requests: model.seen.map(({ body }) => body.messages) };
}

/** What `run` returns for each of `list`, one after the other: earlier runs share a home. */
export async function inTurn(list, run) {
  const ends = [];
  for (const [place, one] of list.entries()) ends.push(await run(one, place));
  return ends;
}
