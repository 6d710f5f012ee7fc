// Runs one scenario against an agent CLI and tells what could be seen from outside: what the model was sent, what each
// hook was given, how the run ended.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProbes } from './lib/probe.mjs';
import { startModel } from './model.mjs';

// Each hook NAME answers its k-th call with replies[NAME][k] (the last one repeats).
// Almost all of it is done by the shell itself: a scenario calls hooks several times, and each process would count.
const HOOK = `#!/bin/bash
# usage: hook.sh NAME
d="$ORACLE_DIR/hooks"; name=$1; n=0; s=0
exec 9>>"$d/lock"; flock 9
[ -e "$d/$name.n" ] && read -r n < "$d/$name.n"; n=$((n + 1)); echo $n > "$d/$name.n"
[ -e "$d/seq" ] && read -r s < "$d/seq"; s=$((s + 1)); echo $s > "$d/seq"
exec 9>&-
printf -v call '%s/call.%04d.%s' "$d" $s "$name"
cat > "$call.json"
for v in CLAUDECODE CLAUDE_ENV_FILE CLAUDE_PROJECT_DIR; do [ -n "\${!v+set}" ] && echo "$v=\${!v}"; done > "$call.env"
k=$n; while [ $k -gt 0 ] && [ ! -e "$d/$name.$k.code" ]; do k=$((k-1)); done
[ $k -eq 0 ] && exit 0
[ -e "$d/$name.$k.sleep" ] && sleep "$(cat "$d/$name.$k.sleep")"
[ -e "$d/$name.$k.out" ] && cat "$d/$name.$k.out"
[ -e "$d/$name.$k.err" ] && cat "$d/$name.$k.err" >&2
echo done >> "$call.done"
read -r code < "$d/$name.$k.code" || [ -n "$code" ]; exit $code
`;

const scrub = (s, subs) => {
  for (const [a, b] of subs) s = s.split(a).join(b);
  return s
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/toolu_\w+/g, '<tool>')
    .replace(/msg_\d+/g, '<msg>');
};
const textOf = (c) =>
  typeof c === 'string'
    ? [{ t: 'text', v: c }]
    : (c ?? []).map((b) =>
        b.type === 'text'
          ? { t: 'text', v: b.text }
          : b.type === 'tool_use'
            ? { t: 'tool_use', v: `${b.name} ${JSON.stringify(b.input)}` }
            : b.type === 'tool_result'
              ? {
                  t: 'tool_result',
                  v:
                    (b.is_error ? 'ERROR ' : '') +
                    textOf(b.content)
                      .map((x) => x.v)
                      .join('\n'),
                }
              : { t: b.type, v: '' },
      );

/** Calls `act` when the first hook was called; the limit of the scenario ends the wait. */
function whenCalled(hooks, act) {
  if (!fs.existsSync(hooks)) return;
  if (fs.readdirSync(hooks).some((file) => /^call\.\d+\..*\.env$/.test(file))) act();
  else setTimeout(() => whenCalled(hooks, act), 20);
}

/** Runs one scenario with `bin` (a command line) and returns what could be seen from outside. */
export async function runScenario(file, bin) {
  const sc = (await import(pathToFileURL(file))).default;
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-'));
  const proj = path.join(root, 'proj'),
    home = path.join(root, 'home'),
    hooks = path.join(root, 'hooks');
  for (const d of [proj, home, hooks, path.join(proj, '.claude')]) fs.mkdirSync(d, { recursive: true });
  fs.writeFileSync(path.join(root, 'hook.sh'), HOOK, { mode: 0o755 });
  for (const [name, list] of Object.entries(sc.replies ?? {}))
    list.forEach((r, i) => {
      const p = path.join(hooks, `${name}.${i + 1}`);
      fs.writeFileSync(`${p}.code`, String(r.code ?? 0));
      if (r.out !== undefined) fs.writeFileSync(`${p}.out`, typeof r.out === 'string' ? r.out : JSON.stringify(r.out));
      if (r.err !== undefined) fs.writeFileSync(`${p}.err`, r.err);
      if (r.sleep) fs.writeFileSync(`${p}.sleep`, String(r.sleep));
    });
  const hook = (name) => `${root}/hook.sh ${name}`;
  const http = [];
  let httpServer;
  if (sc.http) {
    const { createServer } = await import('node:http');
    httpServer = createServer((q, s) => {
      let b = '';
      q.on('data', (d) => (b += d));
      q.on('end', () => {
        const r = sc.http(http.length, b, q) ?? {};
        const { host, connection, 'content-length': _cl, ...headers } = q.headers;
        http.push({ method: q.method, url: q.url, headers, body: b });
        s.writeHead(r.status ?? 200, { 'content-type': 'application/json' });
        s.end(typeof r.body === 'string' ? r.body : JSON.stringify(r.body ?? {}));
      });
    });
    await new Promise((r) => httpServer.listen(0, '127.0.0.1', r));
  }
  const probes = await startProbes(hooks);
  const ctx = {
    root,
    proj,
    hook,
    probes,
    bin,
    httpUrl: httpServer ? `http://127.0.0.1:${httpServer.address().port}` : undefined,
  };
  const settings = typeof sc.settings === 'function' ? await sc.settings(ctx) : sc.settings;
  fs.writeFileSync(path.join(proj, '.claude/settings.json'), JSON.stringify(settings ?? {}));
  const put = (f, v) => {
    const j = typeof v === 'function' ? v(ctx) : v;
    if (j) {
      fs.mkdirSync(path.dirname(f), { recursive: true });
      fs.writeFileSync(f, JSON.stringify(j));
    }
  };
  put(path.join(proj, '.claude/settings.local.json'), sc.localSettings);
  put(path.join(home, '.claude/settings.json'), sc.userSettings);
  for (const [f, text] of Object.entries(sc.files ?? {})) {
    fs.mkdirSync(path.dirname(path.join(proj, f)), { recursive: true });
    fs.writeFileSync(path.join(proj, f), text);
  }
  const main = (b) => (b.tools ?? []).length > 2 && !sc.side?.(b);
  let n = 0,
    m = 0;
  const model = await startModel((b) => {
    if (sc.model) return sc.model(b, { main: main(b), n: main(b) ? n++ : m++ });
    return main(b) ? sc.script[Math.min(n++, sc.script.length - 1)] : { text: 'ok' };
  });
  const args = [
    '-p',
    sc.prompt ?? 'hello',
    '--output-format',
    'stream-json',
    '--verbose',
    ...(typeof sc.args === 'function' ? await sc.args(ctx) : (sc.args ?? [])),
  ];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    // each scenario has a new home; it would compile all code again
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    ORACLE_DIR: root,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    STOPGATE_TRUST_PROJECT: '1',
    ...(sc.env ?? {}),
  };
  const t0 = Date.now();
  const [cmd, ...pre] = bin.split(' ');
  const child = spawn(cmd, [...pre, ...args], { cwd: proj, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let so = '',
    se = '';
  child.stdout.on('data', (d) => (so += d));
  child.stderr.on('data', (d) => (se += d));
  // the limit of a scenario is that of the real thing on a quiet machine
  const limit = setTimeout(() => child.kill('SIGKILL'), Math.max(sc.limit ?? 0, 120) * 1000);
  // the time is a scenario's guess at when its hook runs; on a busy machine that takes longer
  if (sc.signalAfter)
    setTimeout(() => whenCalled(hooks, () => child.kill(sc.signal ?? 'SIGINT')), sc.signalAfter * 1000);
  const [code, sig] = await new Promise((r) => child.on('close', (c, s) => r([c, s])));
  clearTimeout(limit);
  model.close();
  httpServer?.close();
  probes.close();
  const subs = [[root, '<root>'], [model.url, '<model>'], ...(ctx.httpUrl ? [[ctx.httpUrl, '<http>']] : [])];
  const s = (v) => scrub(String(v), subs);
  const lines = so
    .split('\n')
    .filter(Boolean)
    .map((l) => {
      try {
        return JSON.parse(l);
      } catch {
        return { type: 'unparsed', text: l };
      }
    });
  const result = lines.findLast((l) => l.type === 'result');
  // what each main request added to the conversation since the one before it
  const lengths = new Map(); // one conversation a first message: a subagent's is its own
  const requests = model.seen.map(({ body }) => {
    if (!main(body))
      return {
        side: true,
        tools: (body.tools ?? []).map((t) => t.name).slice(0, 40),
        last: textOf(body.messages.at(-1)?.content)
          .map((x) => s(x.v))
          .join('\n')
          .slice(0, 2000),
      };
    const key = textOf(body.messages[0]?.content)
      .map((b) => b.v)
      .filter((v) => !v.startsWith('<system-reminder>'))
      .join('\n');
    const added = body.messages
      .slice(lengths.get(key) ?? 0)
      .map((x) => ({ role: x.role, blocks: textOf(x.content).map((b) => ({ ...b, v: s(b.v) })) }));
    const first = !lengths.has(key);
    lengths.set(key, body.messages.length);
    return { first, added };
  });
  const calls = fs
    .readdirSync(hooks)
    .filter((f) => /^call\.\d+\..*\.json$/.test(f))
    .sort()
    .map((f) => {
      let input;
      try {
        input = JSON.parse(s(fs.readFileSync(path.join(hooks, f), 'utf8')));
      } catch (e) {
        input = `unparsed: ${e.message}`;
      }
      const base = path.join(hooks, f.slice(0, -5));
      return {
        hook: f.split('.')[2],
        input,
        env: fs.existsSync(`${base}.env`)
          ? s(fs.readFileSync(`${base}.env`, 'utf8'))
              .trim()
              .split('\n')
              .filter(Boolean)
          : [],
        finished: fs.existsSync(`${base}.done`),
      };
    });
  const stream = lines.map((l) => `${l.type}${l.subtype ? `/${l.subtype}` : ''}`);
  const obs = {
    name: path.basename(file, '.mjs'),
    keep: sc.keep,
    code,
    sig,
    ms: Date.now() - t0,
    stderr: s(se).slice(0, 2000),
    result: result && {
      subtype: result.subtype,
      is_error: result.is_error,
      num_turns: result.num_turns,
      result: result.result && s(result.result),
      stop_reason: result.stop_reason,
      terminal_reason: result.terminal_reason,
    },
    requests,
    calls,
    http: http.map((h) => ({ ...h, headers: h.headers, body: s(h.body) })),
    stream,
    lines: lines.map((l) => JSON.parse(scrub(JSON.stringify(l), subs))),
  };
  if (!process.env.ORACLE_KEEP) fs.rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  return obs;
}
