#!/usr/bin/env node
// coverage.mjs [--json]   — how many scenarios reach each event, input field, hook answer, hook kind, tool and flag
// Events and input fields come from the recorded traces; the rest from the scenarios themselves.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const here = path.dirname(new URL(import.meta.url).pathname);
const ANSWERS = [
  'decision',
  'reason',
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'additionalContext',
  'permissionDecision',
  'permissionDecisionReason',
  'updatedInput',
  'updatedToolOutput',
  'updatedMCPToolOutput',
  'updatedPermissions',
  'interrupt',
  'initialUserMessage',
  'sessionTitle',
  'watchPaths',
  'suppressOriginalPrompt',
  'retry',
  'displayContent',
  'worktreePath',
  'async',
]; // prettier-ignore
const HANDLER = [
  'if',
  'timeout',
  'once',
  'async',
  'asyncRewake',
  'onFailure',
  'args',
  'shell',
  'statusMessage',
  'continueOnBlock',
  'model',
  'headers',
  'allowedEnvVars',
];

/** What one scenario reaches, as { group: [names] }. */
export async function reached(name, golden) {
  const file = path.join(here, 'scenarios', `${name}.mjs`);
  const source = fs.readFileSync(file, 'utf8');
  const scenario = (await import(pathToFileURL(file))).default;
  const trace = golden[name] ?? { calls: [], http: [] };
  const inputs = [...trace.calls, ...trace.http.map((h) => h.body)].filter((c) => c?.hook_event_name);
  const handlers = configured(scenario);
  const answered = Object.values(scenario.replies ?? {}).flat();
  const named = (words) => words.filter((w) => new RegExp(`\\b${w}\\b`).test(source));
  return {
    event: [...inputs.map((c) => c.hook_event_name), ...handlers.map((h) => h.event)],
    'event × field': inputs.flatMap(fields),
    answer: named(ANSWERS),
    'exit code': [
      ...answered.map((r) => String(r.code ?? 0)),
      ...[...source.matchAll(/\bcode: (\d+)/g)].map((m) => m[1]),
    ],
    'hook kind': handlers.map((h) => h.kind),
    'handler field': handlers.flatMap((h) => h.fields),
    'settings layer': ['settings', 'localSettings', 'userSettings']
      .filter((k) => scenario[k])
      .concat(source.includes("'--settings'") ? ['--settings'] : []),
    flag: [...source.matchAll(/'(--[a-z][a-zA-Z-]+)'/g)].map((m) => m[1]),
    tool: calledTools(source),
    'API error': [...source.matchAll(/status: ([45]\d\d)/g)].map((m) => m[1]),
    end: [trace.end?.reason ?? 'none'],
  };
}

/** Written out, or made by a helper of lib/calls.mjs. */
const HELPERS = { bash: 'Bash', read: 'Read', write: 'Write' };
const calledTools = (source) => [
  ...[/name: '(\w+)', input/g, /\bt(?:ool)?\('(\w+)'/g].flatMap((p) => [...source.matchAll(p)].map((m) => m[1])),
  ...Object.entries(HELPERS).flatMap(([name, tool]) => (new RegExp(`\\b${name}\\(['"\`]`).test(source) ? [tool] : [])),
];

const fields = (call) => {
  const { hook: _hook, has = [], hook_event_name: event, message, ...kept } = call;
  const seen =
    message && typeof message === 'object' && !Array.isArray(message) ? Object.keys(message).map((k) => `(${k})`) : [];
  return [...Object.keys(kept), ...has, ...seen].map((f) => `${event}.${f}`);
};

function configured(scenario) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'coverage-'));
  const ctx = { root, proj: root, bin: 'true', hook: (n) => n, httpUrl: 'http://127.0.0.1:9' };
  const layers = ['settings', 'localSettings', 'userSettings'].map((k) => {
    try {
      return typeof scenario[k] === 'function' ? scenario[k](ctx) : scenario[k];
    } catch {
      return undefined; // it runs an agent first: only its trace counts
    }
  });
  fs.rmSync(root, { recursive: true, force: true });
  return layers.flatMap((s) =>
    Object.entries(s?.hooks ?? {}).flatMap(([event, groups]) =>
      [].concat(groups).flatMap((g) =>
        [].concat(g?.hooks ?? []).map((h) => ({
          event,
          kind: String(h?.type),
          fields: [...HANDLER.filter((f) => h?.[f] !== undefined), ...(g.matcher === undefined ? [] : ['matcher'])],
        })),
      ),
    ),
  );
}

/** { group: { name: number of scenarios } } over all scenarios. */
export async function coverage() {
  const golden = JSON.parse(fs.readFileSync(path.join(here, 'golden/claude-code.json'), 'utf8'));
  const names = fs.readdirSync(path.join(here, 'scenarios')).map((f) => path.basename(f, '.mjs'));
  const counts = {};
  for (const name of names)
    for (const [group, found] of Object.entries(await reached(name, golden)))
      for (const one of new Set(found)) {
        counts[group] ??= {};
        counts[group][one] = (counts[group][one] ?? 0) + 1;
      }
  return { scenarios: names.length, counts };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { scenarios, counts } = await coverage();
  if (process.argv.includes('--json')) console.log(JSON.stringify({ scenarios, counts }, null, 1));
  else {
    console.log(`${scenarios} scenarios`);
    for (const [group, found] of Object.entries(counts)) {
      console.log(`\n${group}`);
      for (const [name, n] of Object.entries(found).sort(([a], [b]) => a.localeCompare(b)))
        console.log(`  ${String(n).padStart(4)}  ${name}`);
    }
  }
}
