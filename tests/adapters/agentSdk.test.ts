import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gateEnv, untilDone } from '../../src/adapters/agentSdk.ts';
import { createGate } from '../../src/gate/createGate.ts';
import type { GateOptions, Verdict } from '../../src/gate/types.ts';
import type { ServerReply } from '../../src/testing/modelServer.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { findTestPeer } from '../support/peers.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

const claude = await findClaudeCode();
const sdk = claude.type === 'missing' ? claude : await findTestPeer('agentSdk');
if (sdk.type === 'missing') process.stdout.write(`tests/adapters/agentSdk is skipped: ${sdk.reason}\n`);
const sdkFolder = sdk.type === 'installed' ? sdk.folder : '';

interface Message {
  readonly type: string;
  readonly subtype?: string;
  readonly result?: string;
}
type Query = (call: { readonly prompt: string; readonly options: object }) => AsyncIterable<Message>;

/** A repository that is done when `answer.txt` says yes; each request of the agent first writes the next text there. */
async function setUp(texts: readonly string[], reply: (request: number) => ServerReply) {
  let request = 0;
  const project: TestProject = await testProject((body) => {
    if ((body.tools ?? []).length < 3) return { text: 'ok' };
    writeFileSync(path.join(project.dir, 'answer.txt'), texts[request] ?? texts.at(-1) ?? '');
    request++;
    return reply(request);
  });
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  const verdicts: Verdict[] = [];
  const warnings: string[] = [];
  return {
    project,
    verdicts,
    warnings,
    requests: () => request,
    follow: { onVerdict: (one: Verdict) => verdicts.push(one), onWarning: (one: string) => warnings.push(one) },
    gate: (options: Partial<GateOptions> = {}) =>
      createGate({
        cwd: project.dir,
        stopgateHome: path.join(project.home, '.stopgate'),
        checks: [{ name: 'done', command: 'grep -q yes answer.txt' }],
        ...options,
      }),
  };
}

const ANSWER = (request: number): ServerReply => ({ text: `answer ${request}` });

/** Runs the real SDK with the real program; returns the result message. */
async function run(project: TestProject, options: object, env = gateEnv): Promise<Message | undefined> {
  const { query } = (await import(pathToFileURL(path.join(sdkFolder, 'sdk.mjs')).href)) as { query: Query };
  const own = {
    PATH: process.env.PATH,
    HOME: project.home,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: project.server.url,
    ...QUIET_CLAUDE,
  };
  const program = claude.type === 'installed' ? claude.program : '';
  const fixed = {
    cwd: project.dir,
    pathToClaudeCodeExecutable: program,
    settingSources: [],
    permissionMode: 'acceptEdits',
  };
  let result: Message | undefined;
  for await (const message of query({ prompt: 'go', options: { ...fixed, env: env(own), ...options } })) {
    if (message.type === 'result') result = message;
  }
  return result;
}

const MANY = Array.from({ length: 10 }, (_, at) => `no ${at}`);

describe.skipIf(sdk.type === 'missing')('stopgate/agent-sdk, with the real SDK', { timeout: 60_000 }, () => {
  // first: what follows calls gateEnv
  it.runIf(IS_LONG)('warns where the cap of Claude Code ends a session that the gate sent back', async () => {
    const at = await setUp(MANY, ANSWER);
    await using project = at.project;
    const result = await run(project, { hooks: untilDone(at.gate(), at.follow) }, (env) => ({ ...env }));
    expect(result).toMatchObject({ subtype: 'success', result: '' });
    expect(at.verdicts.map(({ type }) => type)).toEqual(Array(9).fill('goOn'));
    expect(at.warnings).toEqual([expect.stringContaining('Pass env: gateEnv()')]);
  });

  // at every run the cap is passed the same way, with more answers
  it.runIf(IS_LONG)('refuses two answers and accepts the third', async () => {
    const at = await setUp(['no', 'maybe', 'yes'], ANSWER);
    await using project = at.project;
    const result = await run(project, { hooks: untilDone(at.gate(), at.follow) });
    expect(result).toMatchObject({ subtype: 'success', result: 'answer 3' });
    expect(at.verdicts.map(({ type }) => type)).toEqual(['goOn', 'goOn', 'stop']);
    expect(at.verdicts[2]).toMatchObject({ proven: true, ending: { type: 'passed' } });
    expect(at.warnings).toEqual([]);
  });

  const ENDINGS = [
    ['stalled', { stallAfter: 1 }, ['no']],
    ['capped', { maxAttempts: 1 }, ['no', 'other']],
  ] as const;
  // they are the gate's in every adapter, see contract.ts
  it.runIf(IS_LONG).each(ENDINGS)('ends as %s', async (ending, options, texts) => {
    const at = await setUp(texts, ANSWER);
    await using project = at.project;
    await run(project, { hooks: untilDone(at.gate(options), at.follow) });
    expect(at.verdicts.at(-1)).toMatchObject({ type: 'stop', proven: false, ending: { type: ending } });
    expect(at.requests()).toBe(2);
  });

  it('is not ended by the cap of Claude Code', async () => {
    const at = await setUp([...MANY, 'yes'], ANSWER);
    await using project = at.project;
    expect(await run(project, { hooks: untilDone(at.gate(), at.follow) })).toMatchObject({
      ...{ subtype: 'success', result: 'answer 11' },
    });
    expect(at.verdicts.map(({ type }) => type)).toEqual([...Array(10).fill('goOn'), 'stop']);
    expect(at.verdicts.at(-1)).toMatchObject({ proven: true, ending: { type: 'passed' } });
    expect(at.warnings).toEqual([]);
  });

  const FAILURES = [
    ['goOn', 4, 'error'],
    ['stop', 1, 'error'],
  ] as const;
  // every run has the one that throws; contract.ts has these in other frameworks
  it.runIf(IS_LONG).each(FAILURES)(
    'a gate that fails answers by onFailure: %s',
    async (onFailure, requests, ending) => {
      const at = await setUp(['no'], ANSWER);
      await using project = at.project;
      const stopgateHome = project.write('../broken', '');
      await run(project, { hooks: untilDone(at.gate({ onFailure, stopgateHome }), at.follow) });
      expect(at.requests()).toBe(requests);
      expect(at.verdicts.at(-1)).toMatchObject({ type: 'stop', ending: { type: ending } });
    },
  );

  it('a gate that throws ends the session with its reason', async () => {
    const at = await setUp(['no'], ANSWER);
    await using project = at.project;
    const stopgateHome = project.write('../broken', '');
    const result = await run(project, { hooks: untilDone(at.gate({ onFailure: 'throw', stopgateHome }), at.follow) });
    expect(at.requests()).toBe(1);
    expect(result).toMatchObject({ terminal_reason: 'stop_hook_prevented' });
    expect(at.warnings).toEqual([expect.stringContaining('stopgate: The gate failed: ')]);
  });

  it('an abort ends a running check', async () => {
    const at = await setUp(['no'], ANSWER);
    await using project = at.project;
    const abortController = new AbortController();
    const gate = at.gate({
      checks: [{ command: 'sleep 600' }],
      onCheck: ({ state }) => state === 'running' && abortController.abort(),
    });
    await run(project, { abortController, hooks: untilDone(gate, at.follow) }).catch(() => {});
    await gate.mayStop({ signal: AbortSignal.abort() });
    expect(at.verdicts).toMatchObject([{ type: 'stop', ending: { why: 'checksInterrupted' } }]);
  });

  it('counts down after tool calls, refuses late ones, and keeps the hooks of the program', async () => {
    const call = { name: 'Write', input: { file_path: 'late.txt', content: 'x' } };
    const at = await setUp(['yes'], (request) => (request === 1 ? { tools: [call] } : { text: 'done' }));
    await using project = at.project;
    const seen: string[] = [];
    const onStop = async () => {
      seen.push('Stop');
      return {};
    };
    // of a launcher: its last two minutes
    const env = { ...process.env, STOPGATE_BUDGET_END: String(Math.floor(Date.now() / 1000) + 90) };
    const gate = at.gate({ env, checks: [{ command: 'true' }] });
    const hooks = untilDone(gate, { ...at.follow, hooks: { Stop: [{ hooks: [onStop] }] } });
    await run(project, { hooks });
    const asked = JSON.stringify(project.server.seen.map(({ body }) => body));
    expect(asked).toContain('BUDGET: 1m');
    expect(asked).toContain('commits, tests and reads still run, but not this Write call');
    expect(existsSync(path.join(project.dir, 'late.txt'))).toBe(false);
    expect(seen).toEqual(['Stop']);
    expect(at.verdicts.at(-1)).toMatchObject({ proven: true });
  });

  it.each(sampleOf([[[]], [['--exactOptionalPropertyTypes']]], ([flags]) => flags?.length === 1))(
    'fits the types of the SDK (%s)',
    async (flags) => {
      await using folder = await tempFolder();
      const modules = path.join(folder.path, 'node_modules');
      mkdirSync(path.join(modules, '@anthropic-ai'), { recursive: true });
      symlinkSync(ROOT, path.join(modules, 'stopgate'));
      symlinkSync(sdkFolder, path.join(modules, '@anthropic-ai/claude-agent-sdk'));
      writeFileSync(path.join(folder.path, 'program.mts'), TYPED);
      const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', ...flags];
      const types = ['--typeRoots', path.join(ROOT, 'node_modules/@types'), '--types', 'node'];
      const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      const checked = spawnSync(process.execPath, [tsc, ...args, ...types, 'program.mts'], { cwd: folder.path });
      expect([checked.status, checked.stdout.toString()]).toEqual([0, '']);
    },
  );
});

const ROOT = path.join(import.meta.dirname, '../..');

const TYPED = `
import { type HookCallbackMatcher, type Options, query } from '@anthropic-ai/claude-agent-sdk';
import { gateEnv, untilDone } from 'stopgate/agent-sdk';
import { createGate } from 'stopgate/gate';
const gate = createGate({ cwd: '.' });
const mine: { PreToolUse: HookCallbackMatcher[] } = { PreToolUse: [{ matcher: 'Bash', hooks: [async () => ({})] }] };
const options: Options = { hooks: untilDone(gate), env: gateEnv() };
const others: Options = { hooks: untilDone(gate, { hooks: { Stop: mine.PreToolUse, PostToolUse: mine.PreToolUse } }) };
// @ts-expect-error the types are those of the SDK, not any
const wrong: Options = { hooks: 1 };
void query({ prompt: 'go', options: { ...options, hooks: untilDone(gate) } });
void [others, wrong];
`;
