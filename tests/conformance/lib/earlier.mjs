// One run of the same agent before (or beside) the one that the harness watches: a session to continue, a stream to look at.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const harness = process.env.ORACLE_HARNESS ?? fileURLToPath(new URL('..', import.meta.url));

/**
 * { code, lines, requests } of `claude -p …` in the scenario's project and home, on a loopback model of its own.
 * `script` as in a scenario; its n-th answer is for the n-th request that has tools.
 */
export function earlier(
  { root, proj, bin },
  { prompt = 'hello', args = [], script = [{ text: 'earlier' }], env = {}, format = 'stream-json', stdin } = {},
) {
  const spec = { root, proj, prompt, args, script, env, format, bin, stdin, model: path.join(harness, 'model.mjs') };
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    input: JSON.stringify(spec),
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(`the earlier run failed: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const spec = JSON.parse(
    await new Promise((done) => {
      let all = '';
      process.stdin.on('data', (d) => (all += d)).on('end', () => done(all));
    }),
  );
  const { startModel } = await import(spec.model);
  let n = 0;
  const model = await startModel((b) =>
    (b.tools ?? []).length > 2 ? spec.script[Math.min(n++, spec.script.length - 1)] : { text: 'ok' },
  );
  const env = {
    PATH: process.env.PATH,
    HOME: path.join(spec.root, 'home'),
    // as in scenario.mjs
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    ORACLE_DIR: spec.root,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    STOPGATE_TRUST_PROJECT: '1',
    ...spec.env,
  };
  const [cmd, ...pre] = spec.bin.split(' ');
  const args = [
    '-p',
    ...(spec.prompt === null ? [] : [spec.prompt]),
    '--output-format',
    spec.format,
    ...(spec.format === 'stream-json' ? ['--verbose'] : []),
    ...spec.args,
  ];
  const child = spawn(cmd, [...pre, ...args], { cwd: spec.proj, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  child.stdin.end(spec.stdin ?? '');
  let so = '',
    se = '';
  child.stdout.on('data', (d) => (so += d));
  child.stderr.on('data', (d) => (se += d));
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
  process.stdout.write(
    JSON.stringify({ code, lines, stderr: se, requests: model.seen.map(({ body }) => body.messages) }),
  );
}
