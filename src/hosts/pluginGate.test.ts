import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../testing/tempFolder.ts';

const GATE = path.join(import.meta.dirname, '../../profiles/hosts/gate.js');
const { createGate } = await import(GATE);

const DENY = JSON.stringify({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } });
const SAYS = JSON.stringify({ hookSpecificOutput: { additionalContext: '[time]' } });
const BLOCK = JSON.stringify({ decision: 'block', reason: 'not yet' });

afterEach(() => vi.unstubAllEnvs());

/** Scripts of the names that a plugin goes by: each writes down its input, and answers. */
async function plugin(answers: Readonly<Record<string, string>>, wish: { readonly file?: string } = {}) {
  for (const name of ['BUDGET_END', 'WORKER', 'OFF', 'ACTIVITY_FILE', 'LAUNCH_ID']) vi.stubEnv(`STOPGATE_${name}`, '');
  vi.stubEnv('AUTORESEARCH_BUDGET_END', '');
  const folder = await tempFolder();
  const project = path.join(folder.path, 'project');
  mkdirSync(path.join(project, '.git'), { recursive: true });
  const seen = path.join(folder.path, 'seen');
  const hook = (event: string, name: string, matcher = '*') => {
    const script = path.join(folder.path, name);
    writeFileSync(script, `#!/bin/sh\ncat >> '${seen}'\n${answers[name] ?? ':'}\n`, { mode: 0o755 });
    return { event, matcher, command: `"${script}" # stopgate`, timeout: 5 };
  };
  const hooks = [
    hook('PreToolUse', 'gate-guard.sh', 'Bash|Edit|Write'),
    hook('PreToolUse', 'landing.sh'),
    hook('PostToolUse', 'budget-countdown.sh'),
    hook('Stop', 'stop.sh'),
  ];
  const create = (file: string) => createGate({ host: 'pi', hooks, folder: project, file, millisecondsOf: 1000 });
  return {
    project,
    create,
    gate: create(wish.file ?? 'one'),
    payloads: () =>
      existsSync(seen)
        ? readFileSync(seen, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    arm: () => writeFileSync(path.join(project, 'stopgate.config.json'), '{}'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const says = (text: string) => `printf '%s' '${text}'`;

describe('the gate of a plugin', () => {
  it('starts no process at a tool call without a budget or a gate', async () => {
    await using one = await plugin({ 'gate-guard.sh': says(DENY), 'landing.sh': says(DENY) });
    expect(await one.gate.before('s', 'bash', { command: 'ls' })).toBeNull();
    expect(await one.gate.after('s', 'bash', { command: 'ls' })).toBeNull();
    expect(one.gate.holdsStops()).toBe(false);
    expect(one.payloads()).toEqual([]);
  });

  it('marks the calls for a supervisor even then', async () => {
    await using one = await plugin({});
    const file = path.join(one.project, 'activity');
    vi.stubEnv('STOPGATE_ACTIVITY_FILE', file);
    await one.gate.before('s', 'bash', {});
    await one.gate.after('s', 'bash', {});
    expect(readFileSync(file, 'utf8')).toBe('se');
  });

  it('asks the guard where a definition of done is, about tools that change files', async () => {
    await using one = await plugin({ 'gate-guard.sh': says(DENY) });
    one.arm();
    expect(await one.gate.before('s', 'read', { path: 'a' })).toBeNull();
    expect(one.payloads()).toEqual([]);
    expect(await one.gate.before('s', 'write', { path: 'a', content: 'x' })).toBe('no');
    expect(one.payloads()).toEqual([
      {
        ...{ plugin_host: 'pi', session_id: 's', cwd: one.project, hook_event_name: 'PreToolUse' },
        ...{ tool_name: 'Write', tool_input: { file_path: 'a' } },
      },
    ]);
  });

  it('stays armed when the definition is deleted, and is off with STOPGATE_OFF', async () => {
    await using one = await plugin({ 'stop.sh': says(BLOCK) });
    one.arm();
    expect(one.gate.holdsStops()).toBe(true);
    const { unlinkSync } = await import('node:fs');
    unlinkSync(path.join(one.project, 'stopgate.config.json'));
    expect(one.gate.holdsStops()).toBe(true);
    expect(await one.gate.stop('s', {})).toBe('not yet');
    expect(one.gate.stopNow('s', { answer: 'done', isPlanning: true })).toBe('not yet');
    expect(one.payloads()[1]).toMatchObject({ last_assistant_message: 'done', permission_mode: 'plan' });
    vi.stubEnv('STOPGATE_OFF', '1');
    expect(one.gate.holdsStops()).toBe(false);
  });

  it.each<[string, object, object]>([
    ['bash', { command: 'ls', timeout: 2 }, { tool_name: 'Bash', tool_input: { command: 'ls', timeout: 2000 } }],
    ['edit', { filePath: '/a' }, { tool_name: 'Edit', tool_input: { file_path: '/a' } }],
    [
      'apply_patch',
      { patchText: '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** End Patch' },
      { tool_name: 'Edit', tool_input: { file_paths: ['a', 'b', 'c'] } },
    ],
    ['mcp_thing', { x: 1 }, { tool_name: 'mcp_thing', tool_input: {} }],
  ])('with a budget it asks about %s in the words of Claude Code', async (tool, args, payload) => {
    await using one = await plugin({ 'budget-countdown.sh': says(SAYS) });
    vi.stubEnv('STOPGATE_BUDGET_END', '99999999999');
    expect(await one.gate.before('s', tool, args)).toBeNull();
    expect(one.payloads().at(-1)).toMatchObject(payload);
    expect(await one.gate.after('s', tool, args)).toBe('[time]');
  });

  it('is asked once where two files of ours are loaded, by the one that came first', async () => {
    await using one = await plugin({ 'stop.sh': says(BLOCK) });
    one.arm();
    expect(one.create('two').holdsStops()).toBe(false);
    expect(one.create('one').holdsStops()).toBe(true);
  });

  it('lets the host go on when a hook fails, prints nonsense or is ended', async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await using failing = await plugin({ 'stop.sh': 'exit 3' });
    expect(await failing.gate.stop('s', {})).toBeNull();
    await using talking = await plugin({ 'stop.sh': 'echo hello' });
    expect(await talking.gate.stop('s', {})).toBeNull();
    await using hanging = await plugin({ 'stop.sh': 'exec sleep 60' });
    const stopped = hanging.gate.stop('s', {});
    await expect.poll(() => hanging.payloads().length).toBe(1);
    hanging.gate.end('other');
    hanging.gate.end('s');
    expect(await stopped).toBeNull();
    if (!process.stdout.isTTY) expect(String(stderr.mock.calls[0]?.[0])).toContain('exit code 3');
    stderr.mockRestore();
  });
});
