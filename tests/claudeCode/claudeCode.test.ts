import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
// @ts-expect-error plain modules that also run by themselves
import { PEERS } from '../../bench/lib/peers.mjs';
// @ts-expect-error plain modules that also run by themselves
import { differences } from '../conformance/golden.mjs';
// @ts-expect-error plain modules that also run by themselves
import { runScenario } from '../conformance/scenario.mjs';
// @ts-expect-error plain modules that also run by themselves
import { trace } from '../conformance/trace.mjs';
import { findClaudeCode } from '../support/claudeCode.ts';
import { everyday } from '../support/hosts/allHosts.ts';

const run = promisify(execFile);
const conformance = path.join(import.meta.dirname, '../conformance');

/** One or two of each event and kind that are fast; the last three are where Stopgate differs on purpose. */
const SAMPLE = [
  'session-events',
  'prompt-submit-block',
  'pre-tool-deny',
  'pre-tool-updated-input',
  'matcher-regex',
  'post-tool-context',
  'stop-json-block',
  'stop-exit2',
  'stop-dedupe',
  'stop-http-hook',
  'stop-block-and-context',
  'stop-continue-false-beats-block',
  'stop-exit2-missing-file',
];

const EVERYDAY = ['session-events', 'pre-tool-deny', 'stop-json-block', 'stop-dedupe'];
const sample = everyday('tests/claudeCode/claudeCode', SAMPLE, (name) => EVERYDAY.includes(name));

const claude = await findClaudeCode();
if (claude.type === 'missing') process.stdout.write(`tests/claudeCode is skipped: ${claude.reason}\n`);

/**
 * The traces Stopgate is held to were recorded from one version of Claude Code. Here the real thing is asked again: when
 * this fails and nothing else does, the recording is out of date, or depends on the machine.
 */
describe.skipIf(claude.type === 'missing')('the real Claude Code', () => {
  const program = claude.type === 'installed' ? claude.program : '';
  const golden: Record<string, unknown> = JSON.parse(
    readFileSync(path.join(conformance, 'golden/claude-code.json'), 'utf8'),
  );

  it('is the version that was recorded', async () => {
    using home = temporaryFolder();
    const { stdout } = await run(program, ['--version'], { env: { HOME: home.path }, timeout: 20_000 });
    expect(stdout.trim()).toBe(`${PEERS.claudeCode.version} (Claude Code)`);
  });

  it.each(sample)('does what was recorded of it: %s', { timeout: 60_000 }, async (name) => {
    const seen = await runScenario(path.join(conformance, 'scenarios', `${name}.mjs`), program);
    expect(golden[name], `golden/claude-code.json has no trace of ${name}`).toBeDefined();
    expect(differences(golden[name], trace(seen, seen.keep)).join('\n')).toBe('');
  });

  // what `init` and `launch` refuse; when this fails, they are stricter than they need to be
  const hooks = '"hooks":{"Stop":[{"hooks":[{"type":"command","command":"$CLAUDE_PROJECT_DIR/../hook.sh stop"}]}]}';
  const SETTINGS: readonly (readonly [string, string, number])[] = [
    ['reads plain settings', `{${hooks}}`, 1],
    ['reads settings with a byte order mark', `\ufeff{${hooks}}`, 1],
    ['reads the last of two members', `{"hooks":{},${hooks}}`, 1],
    ['ignores settings with a comment', `{ // mine\n${hooks}}`, 0],
    ['ignores settings with a trailing comma', `{${hooks},}`, 0],
  ];
  it.each(everyday('tests/claudeCode/claudeCode', SETTINGS, ([what]) => /comment/.test(what)))(
    '%s',
    { timeout: 60_000 },
    async (_name, settings, calls) => {
      using folder = temporaryFolder();
      const file = path.join(folder.path, 'scenario.mjs');
      const scenario = { files: { '.claude/settings.local.json': settings }, script: [{ text: 'one' }] };
      writeFileSync(file, `export default ${JSON.stringify(scenario)};`);
      expect((await runScenario(file, program)).calls).toHaveLength(calls);
    },
  );
});

function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'stopgate-claude-code-'));
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
