import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { codexAgent, hookFlags } from './agent.ts';
import { codexTrouble } from './output.ts';
import { codexSpend } from './spend.ts';

const command = (words: readonly string[], more: object = {}) =>
  codexAgent.command({ agent: 'codex', words, env: {}, ...more });

describe('the command line', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['fix it'], ['exec', '--json', 'fix it']],
    [
      ['exec', 'fix it', '-s', 'workspace-write'],
      ['exec', '--json', 'fix it', '-s', 'workspace-write'],
    ],
    [
      ['--json', 'fix it'],
      ['exec', '--json', 'fix it'],
    ],
  ])('%j becomes %j', (words, args) => {
    expect(command(words).args).toEqual(args);
  });

  it('goes on in the same session with the same options, without the first prompt', () => {
    const words = ['fix it', '-s', 'workspace-write', '--skip-git-repo-check'];
    const again = codexAgent.continueWords?.('id', 'not yet', words) ?? [];
    expect(again).toEqual(['-s', 'workspace-write', '--skip-git-repo-check', 'resume', 'id', 'not yet']);
    expect(codexAgent.continueWords?.(null, 'x', [])).toEqual(['resume', '--last', 'x']);
  });

  it('has a terminal of its own when asked for', () => {
    expect(command(['fix it'], { interactive: true }).args).toEqual(['fix it']);
  });
});

it.each<[readonly string[], string, boolean]>([
  [['x'], '', true],
  [['x'], 'model = "m"\n', true],
  [['x'], 'sandbox_mode = "workspace-write"\n', false],
  [['x', '-s', 'workspace-write'], '', false],
  [['x', '-c', 'sandbox_mode="workspace-write"'], '', false],
  [['x', '--dangerously-bypass-approvals-and-sandbox'], '', false],
])('with %j and %j is hinted at what it may do: %s', async (words, config, isHinted) => {
  await using folder = await tempFolder();
  writeFileSync(path.join(folder.path, 'config.toml'), config);
  const places = { homeDir: '/nowhere', env: { CODEX_HOME: folder.path } };
  expect(codexAgent.headlessHint?.(words, '/p', places) !== null).toBe(isHinted);
});

it('passes hooks and their trust as words, in the order of their events', () => {
  const entry = { event: 'Stop', command: 'a "b" # stopgate', timeout: 9 };
  const flags = hookFlags([entry, { ...entry, event: 'PreToolUse', matcher: '*' }]);
  expect(flags).toHaveLength(6);
  expect(flags[1]).toBe(
    String.raw`hooks.Stop=[{"hooks"=[{"type"="command","command"="a \"b\" # stopgate","timeout"=9}]}]`,
  );
  expect(flags[5]).toMatch(
    /^hooks\.state=\{"\/<session-flags>\/config\.toml:stop:0:0"=\{"trusted_hash"="sha256:\w{64}"\},.*pre_tool_use:0:0/,
  );
  expect(hookFlags([])).toEqual([]);
});

it.each<[string, string | null]>([
  ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit'],
  ['You’ve hit your usage limit. Upgrade to Pro, or try again at 3:39 PM.', 'rate_limit'],
  ['Quota exceeded. Check your plan and billing details.', 'billing_error'],
  ['unexpected status 402 Payment Required: You have no quota', 'billing_error'],
  ['unexpected status 401 Unauthorized: Incorrect API key provided', 'authentication_failed'],
  ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
  ['unexpected status 502 Bad Gateway', 'server_error'],
  ['{"error":{"message":"bad request","type":"invalid_request_error"}}', null],
])('takes %j for %s', (message, error) => {
  const tail = `{"type":"turn.started"}\n${JSON.stringify({ type: 'turn.failed', error: { message } })}\n`;
  const trouble = codexTrouble(1, { tail, stderr: '', failure: null });
  expect(trouble).toEqual(error === null ? null : { error, text: message });
});

it('takes words of the model about a limit for no trouble', () => {
  const tail = '{"type":"item.completed","item":{"type":"agent_message","text":"429 rate limit"}}\n';
  expect(codexTrouble(1, { tail, stderr: '', failure: null })).toBeNull();
});

describe('what it spends', () => {
  const count = (output: number) =>
    `${JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: output } } } })}\n`;
  const started = '{"type":"thread.started","thread_id":"t1"}\n';

  async function record() {
    const folder = await tempFolder();
    const sessions = path.join(folder.path, 'sessions/2026/11/18');
    mkdirSync(sessions, { recursive: true });
    const file = path.join(sessions, 'rollout-x-t1.jsonl');
    writeFileSync(file, '{"type":"turn_context","payload":{"model":"m"}}\n');
    return { file, env: { CODEX_HOME: folder.path }, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  }

  it('is read from its record while its turn runs, with the price of its model', async () => {
    await using at = await record();
    const reader = codexSpend({ env: at.env, isContinued: false })((model, { inputTokens, outputTokens }) => ({
      ...{ type: 'usd', usd: model === 'm' ? inputTokens + outputTokens : -1 },
    }));
    expect(reader.push(started)).toBe(false);
    appendFileSync(at.file, count(20));
    expect(reader.push('{"type":"item.started"}\n')).toBe(true);
    expect(reader.spend).toEqual({ outputTokens: 20, usd: 80 });
    appendFileSync(at.file, count(45));
    expect(reader.spend.outputTokens).toBe(45);
  });

  it('does not count what a continued session spent before', async () => {
    await using at = await record();
    appendFileSync(at.file, count(1000));
    const reader = codexSpend({ env: at.env, isContinued: true })(() => ({ type: 'unknown' }));
    reader.push(started);
    appendFileSync(at.file, count(1020));
    expect(reader.spend).toEqual({ outputTokens: 20, usd: null });
  });

  it('is known at the end of a turn without a record', () => {
    const reader = codexSpend({ env: { CODEX_HOME: '/nowhere' }, isContinued: false })(() => ({ type: 'unknown' }));
    reader.push(started);
    reader.push('{"type":"turn.completed","usage":{"input_tokens":9,"output_tokens":7}}\n');
    expect(reader.spend.outputTokens).toBe(7);
  });
});
