import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Answer } from '../../src/testing/modelServer.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { findTestPeer } from '../support/peers.ts';
import { type TestProject, testProject } from '../support/project.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const CHECK = 'grep -q yes answer.txt';

async function run(project: TestProject, file: string, args: readonly string[], more: Record<string, string> = {}) {
  const base = { PATH: process.env.PATH, HOME: project.home, ANTHROPIC_API_KEY: 'dummy' };
  const env = { ...base, ANTHROPIC_BASE_URL: project.server.url, ...QUIET_CLAUDE, ...more };
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    cwd: project.dir,
    env,
    timeout: 60_000,
  });
  return stdout.trim().split('\n');
}

/** Claims to be done, then writes the file when it is sent back. */
const liar =
  (tool: object): Answer =>
  (body) => {
    const said = JSON.stringify(body.messages);
    if (!said.includes('grep -q yes')) return { text: 'All done.' };
    return said.includes('tool_result') ? { text: 'Written now.' } : { tools: [tool as never] };
  };

it('a loop of its own, with the gate alone', async () => {
  await using project = await testProject();
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  const agent = 'test -e tried && echo yes > answer.txt; touch tried; echo done';
  const lines = await run(project, path.join(ROOT, 'examples/gate.ts'), [CHECK, agent]);
  expect(lines).toEqual(['sent back (1)', 'passed (done); proven: true']);
});

it('the AI SDK', async () => {
  await using project = await testProject(liar({ name: 'write', input: { file: 'answer.txt', text: 'yes' } }));
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  const url = { ANTHROPIC_BASE_URL: `${project.server.url}/v1` };
  const lines = await run(project, path.join(ROOT, 'examples/adapters/ai-sdk.ts'), [CHECK], url);
  expect(lines).toEqual(['goOn', 'stop', 'Written now.', 'passed (done); proven: true']);
});

const claude = await findClaudeCode();
const sdk = claude.type === 'missing' ? claude : await findTestPeer('agentSdk');
if (sdk.type === 'missing') process.stdout.write(`tests/examples/gate: the Agent SDK is skipped: ${sdk.reason}\n`);
const sdkFolder = sdk.type === 'installed' ? sdk.folder : '';

it.skipIf(sdk.type === 'missing')('the Claude Agent SDK', { timeout: 60_000 }, async () => {
  const answer = liar({ name: 'Write', input: { file_path: 'answer.txt', content: 'yes' } });
  await using project = await testProject((body, ...more) =>
    (body.tools ?? []).length < 3 ? { text: 'ok' } : answer(body, ...more),
  );
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  const modules = path.join(project.dir, '../node_modules');
  mkdirSync(path.join(modules, '@anthropic-ai'), { recursive: true });
  symlinkSync(ROOT, path.join(modules, 'stopgate'));
  symlinkSync(sdkFolder, path.join(modules, '@anthropic-ai/claude-agent-sdk'));
  const file = path.join(project.dir, '../agent-sdk.mjs');
  cpSync(path.join(ROOT, 'examples/adapters/agent-sdk.mjs'), file);
  const program = claude.type === 'installed' ? claude.program : '';
  const lines = await run(project, file, [CHECK], { CLAUDE_CODE_PROGRAM: program });
  expect(lines).toEqual(['goOn', 'stop', 'Written now.', 'passed (done); proven: true']);
  expect(readFileSync(path.join(project.dir, 'answer.txt'), 'utf8')).toBe('yes');
});
