import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Answer, ServerReply } from '../../src/testing/modelServer.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { ALL_HOSTS, everyday } from '../support/hosts/allHosts.ts';
import { type TestProject, testProject } from '../support/project.ts';

const claude = await findClaudeCode();
if (claude.type === 'missing') process.stdout.write(`tests/claudeCode/spend is skipped: ${claude.reason}\n`);

/** Answers of the main conversation in order, a subagent's by its prompt; side requests get a word. */
function script(main: readonly ServerReply[], subagent: ServerReply = {}): Answer {
  let at = 0;
  return (body) => {
    if ((body.tools ?? []).length < 3) return { text: 'ok', usage: { out: 0, in: 0 } };
    if (JSON.stringify(body.messages[0]).includes('SUBTASK')) return subagent;
    return main[at++] ?? { text: 'too many requests', usage: { out: 1_000_000 } };
  };
}

const bash = (command: string, out: number, more: object = {}): ServerReply => ({
  text: 'x',
  tools: [{ name: 'Bash', input: { command, description: 'x', ...more } }],
  usage: { out },
});
const agent = (out: number): ServerReply => ({
  tools: [
    {
      name: 'Agent',
      input: { description: 'd', prompt: 'SUBTASK', subagent_type: 'general-purpose', run_in_background: false },
    },
  ],
  usage: { out },
});
const text = (out: number): ServerReply => ({ text: 'done', usage: { out } });

const env = { ...QUIET_CLAUDE, STOPGATE_CLAUDE: claude.type === 'installed' ? claude.program : '' };
async function launched(project: TestProject, limit: readonly string[], words: readonly string[] = []) {
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  const args = ['launch', '--time-budget', '20m', '--json', ...limit, '--', '-p', 'do it'];
  const end = await project.start([...args, '--allowedTools=Bash,Agent', ...words], { env }).ended;
  return { ...end, report: end.lines.at(-1) };
}

const STREAM = ['--output-format', 'stream-json', '--verbose'];

describe.skipIf(claude.type === 'missing')('spend of the real Claude Code', { timeout: 60_000 }, () => {
  it('ends it in the middle of a turn when message_delta shows that the tokens are used', async () => {
    await using project = await testProject(script([bash('sleep 20', 25_000), text(27_000)]));
    const { code, report } = await launched(project, ['--token-budget', '20k']);
    expect(report).toMatchObject({
      how: 'stopped',
      why: 'it wrote 25k tokens of the 20k it had',
      spend: { outputTokens: 25_000 },
    });
    expect(code).toBe(125);
  });

  it('reports every token, and prints the stream without the pieces that only we asked for', async () => {
    await using project = await testProject(script([bash('true', 25_000), text(27_000)]));
    const { code, report, lines } = await launched(project, ['--token-budget', '1m'], STREAM);
    expect([code, report.spend.outputTokens]).toEqual([0, 52_000]);
    expect(report.spend.usd).toBeCloseTo(lines.find(({ type }) => type === 'result').total_cost_usd);
    expect(lines.map(({ type }) => type)).not.toContain('stream_event');
  });

  // outputForms.test.ts has the words that ask for them
  it.runIf(ALL_HOSTS)('passes pieces on when they were asked for', async () => {
    await using project = await testProject(script([text(10)]));
    const { lines } = await launched(project, ['--token-budget', '1m'], [...STREAM, '--include-partial-messages']);
    expect(lines.map(({ type }) => type)).toContain('stream_event');
  });

  const FORMS = ['text', 'json'];

  // text is what it prints when nothing is said, as in the first test
  const JSON_ONLY = everyday('tests/claudeCode/spend', FORMS, (form) => form === 'json');

  // its limit of money, below, is read from the same output
  it.runIf(ALL_HOSTS).each(FORMS)('holds a token budget with %s', async (form) => {
    await using project = await testProject(script([bash('sleep 20', 25_000), text(27_000)]));
    const { code, report } = await launched(project, ['--token-budget', '20k'], ['--output-format', form]);
    expect(report).toMatchObject({ how: 'stopped', spend: { outputTokens: 25_000 } });
    expect(code).toBe(125);
  });

  it.each(JSON_ONLY)('is ended by its own limit of money with %s', async (form) => {
    await using project = await testProject(script([bash('true', 25_000), text(27_000)]));
    const { code, report } = await launched(project, ['--max-budget-usd', '0.03'], ['--output-format', form]);
    expect(report).toMatchObject({
      how: 'stopped',
      why: expect.stringMatching(/^it spent \$\S+ of the \$0.03 it had$/),
    });
    expect(report.spend).toMatchObject({ outputTokens: 25_000 });
    expect(code).toBe(125);
  });

  /** Times and ids differ from run to run. */
  const WHILE = /^(?:duration|ttft|time_to|first_content|uuid|session_id|cwd|id$|messageId|timestamp|request_id|runId)/;
  const steady = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(steady);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => !WHILE.test(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, steady(inner)]));
  };
  const background = bash('sleep 1', 300, { run_in_background: true });

  // two sessions to compare what depends on the version, which is pinned
  it.runIf(ALL_HOSTS).each(FORMS)('prints %s as it would without a limit', async (format) => {
    const words = ['--output-format', format];
    const replies = [background, text(400), { text: 'and more\n', usage: { out: 30 } }];
    await using project = await testProject(script([...replies, ...replies]));
    const plain = await launched(project, [], words);
    const limited = await launched(project, ['--token-budget', '1m'], words);
    const printed = ({ stdout }: typeof plain) => stdout.slice(0, stdout.indexOf('{"type":"launch_report"'));
    if (format === 'text') return expect(printed(limited)).toBe(printed(plain));
    expect(steady(JSON.parse(printed(limited)))).toEqual(steady(JSON.parse(printed(plain))));
    expect([plain, limited].map(({ report }) => report.spend.outputTokens)).toEqual([730, 730]);
  });

  it('counts a subagent once', async () => {
    await using project = await testProject(script([agent(300), text(400)], text(5000)));
    const { report } = await launched(project, ['--token-budget', '1m']);
    expect(report.spend).toEqual({ outputTokens: 5700, usd: expect.any(Number) });
  });

  it('goes on counting after the first result', async () => {
    const background = bash('sleep 1', 300, { run_in_background: true });
    await using project = await testProject(script([background, text(400), bash('sleep 20', 5000), text(1_000_000)]));
    const { code, report, lines } = await launched(project, ['--token-budget', '4k'], STREAM);
    expect(lines.filter(({ type }) => type === 'result').length).toBeGreaterThanOrEqual(1);
    expect([code, report.spend.outputTokens]).toEqual([125, 5700]);
  });

  it('does not count what a continued session spent before', async () => {
    await using project = await testProject(script([text(9000), text(100)]));
    expect((await launched(project, ['--token-budget', '10k'])).report.spend.outputTokens).toBe(9000);
    const { code, report } = await launched(project, ['--token-budget', '5k'], ['--continue']);
    expect([code, report.spend.outputTokens]).toEqual([0, 100]);
  });
});
