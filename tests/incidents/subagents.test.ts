import { describe, expect, it } from 'vitest';
import type { ServerReply } from '../../src/testing/modelServer.ts';
import { type CommandEnd, testProject } from '../support/project.ts';
import { ALLOWED, bash, command, on } from './incident.ts';

const agent = (prompt = 'SUBTASK') => ({ name: 'Agent', input: { description: 'look', prompt } });

/** Answers for the main agent, which starts a subagent first, and for the subagent, by how often it was asked. */
function family(child: (nth: number) => ServerReply, first: ServerReply = { tools: [agent()] }) {
  let asked = 0;
  return (body: { messages: unknown[] }): ServerReply => {
    if (JSON.stringify(body.messages[0]).includes('SUBTASK')) return child(asked++);
    return body.messages.length < 3 ? first : { text: 'main end' };
  };
}

/** What the main agent was given as results of its calls. */
const results = ({ lines }: CommandEnd): { content: string; is_error?: boolean }[] =>
  lines
    .filter(({ type, parent_tool_use_id }) => type === 'user' && parent_tool_use_id === null)
    .flatMap(({ message }) => message.content)
    .filter(({ type }) => type === 'tool_result');

describe.concurrent('incidents: subagents', () => {
  it("21: a verifier that is content leaves the subagent's report as it is (hermes#58490)", async () => {
    await using project = await testProject(family(() => ({ text: 'REPORT: three bugs in a.js' })));
    const verifier = command('echo verified; echo all checks green >&2');
    const end = await project.run(['-p', 'x', ...ALLOWED, ...on('SubagentStop', verifier)]);
    expect(results(end)).toMatchObject([{ content: 'REPORT: three bugs in a.js' }]);
    expect(end.lines.at(-1).result).toBe('main end');
  });

  // Fails until runSubagent keeps the answers that a SubagentStop hook sent back: only the last one is returned now.
  it('21: a verifier that sends it back once does not cost the report (hermes#58490)', async () => {
    const said = ['REPORT: three bugs in a.js', 'All checks green.'];
    await using project = await testProject(family((nth) => ({ text: said[nth] ?? 'asked too often' })));
    const verifier = command('[ -e asked ] && exit 0; touch asked; echo verify your work >&2; exit 2');
    const end = await project.run(['-p', 'x', ...ALLOWED, ...on('SubagentStop', verifier)]);
    const [result] = results(end);
    expect(result?.content).toContain('All checks green.');
    expect(result?.content).toContain('REPORT: three bugs in a.js');
  });

  it('22: a budget that runs out inside a subagent ends both at once, with a type (claude-agent-sdk-python#1273)', async () => {
    const million = { usage: { out: 1_000_000 } };
    await using project = await testProject(family(() => ({ text: 'working', tools: [bash('true')], ...million })));
    const end = await project.run(['-p', 'x', ...ALLOWED, '--max-budget-usd', '1']);
    expect(end.code).toBe(1);
    expect(end.lines.at(-1)).toMatchObject({
      subtype: 'error_max_budget_usd',
      terminal_reason: 'budget_exhausted',
      is_error: true,
    });
    expect(results(end)).toMatchObject([{ is_error: true, content: expect.stringContaining('budget_exhausted') }]);
    // nobody asks again once it is spent: not the subagent, not its parent
    expect(project.server.seen).toHaveLength(2);
  });

  it('22: a second subagent of the same answer does not start spending (claude-agent-sdk-python#1273)', async () => {
    const million = { usage: { out: 1_000_000 } };
    const two = { tools: [agent('SUBTASK one'), agent('SUBTASK two')] };
    await using project = await testProject(family(() => ({ text: 'report', ...million }), two));
    const end = await project.run(['-p', 'x', ...ALLOWED, '--max-budget-usd', '1']);
    expect(end.lines.at(-1).terminal_reason).toBe('budget_exhausted');
    expect(results(end)).toHaveLength(2);
    expect(project.server.seen).toHaveLength(2);
  });

  it('22: an error inside a subagent is a result, and the parent goes on (claude-agent-sdk-python#1273)', async () => {
    const broken = { error: { status: 400, type: 'invalid_request_error', message: 'bad request' } };
    await using project = await testProject(family(() => broken));
    const end = await project.run(['-p', 'x', ...ALLOWED]);
    expect(end.code).toBe(0);
    expect(results(end)).toMatchObject([{ is_error: true, content: expect.stringContaining('api_error') }]);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'main end' });
  });

  it('22: a subagent that is capped is a result, and says so (claude-agent-sdk-python#1273)', async () => {
    await using project = await testProject(family((nth) => ({ text: `report ${nth}` })));
    const never = on('SubagentStop', command('echo deeper >&2; exit 2'));
    const end = await project.run(['-p', 'x', ...ALLOWED, ...never], { env: { STOPGATE_STOP_HOOK_BLOCK_CAP: '2' } });
    expect(results(end)).toMatchObject([{ content: expect.stringContaining('stop_hook_capped') }]);
    expect(results(end)[0]?.content).toContain('report 2');
    expect(end.lines.at(-1).result).toBe('main end');
  });
});
