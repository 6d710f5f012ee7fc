import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, ServerReply } from '../../src/testing/modelServer.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { ALL_HOSTS } from '../support/hosts/allHosts.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { startClaude } from '../support/startClaude.ts';

const claude = await findClaudeCode();
if (claude.type === 'missing') process.stdout.write(`tests/claudeCode/countdown is skipped: ${claude.reason}\n`);
const program = claude.type === 'installed' ? claude.program : '';

type Calls = NonNullable<ServerReply['tools']>;
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'x' } });

/** What can become of the calls of one answer. `curl` is denied by a rule, HOOKDENY by a hook, Write by nobody's leave. */
const BATCHES: readonly (readonly [string, Calls])[] = [
  ['success', [bash('echo hi')]],
  ['three successes', [bash('echo a'), bash('echo b'), bash('echo c')]],
  ['a failure', [bash('exit 3')]],
  ['two failures', [bash('exit 3'), bash('exit 4')]],
  ['denied by a rule', [bash('curl x')]],
  ['denied by a hook', [bash('echo HOOKDENY')]],
  ['denied for want of a permission', [{ name: 'Write', input: { file_path: '/nowhere/x', content: 'x' } }]],
  ['an unknown tool', [{ name: 'NoSuchTool', input: {} }]],
  ['input that does not fit', [{ name: 'Read', input: { nope: 1 } }]],
  ['a file that is not there', [{ name: 'Read', input: { file_path: '/nowhere/x' } }]],
  ['success, failure and denial', [bash('echo a'), bash('exit 3'), bash('curl x'), { name: 'NoSuchTool', input: {} }]],
];

const DENIES = `if grep -q HOOKDENY; then echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'; fi`;
const SETTINGS = {
  permissions: { deny: ['Bash(curl *)'] },
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: DENIES }] }] },
};

/** Every batch in turn, one answer each; side requests (titles and the like) get a word. */
function batchesInTurn(): Answer {
  let at = 0;
  return (body) => {
    if ((body.tools ?? []).length < 3) return { text: 'ok' };
    const calls = BATCHES[at++]?.[1];
    return calls ? { tools: calls } : { text: 'done' };
  };
}

const mainRequests = ({ server }: TestProject) =>
  server.seen.filter(({ body }) => (body.tools ?? []).length >= 3).map(({ body }) => JSON.stringify(body.messages));
const LINE = /BUDGET: (?:20m00s|19m\d\ds) remaining/g;
const linesIn = (request: string | undefined) => request?.match(LINE)?.length ?? 0;

async function project(answer: Answer): Promise<TestProject> {
  const made = await testProject(answer);
  mkdirSync(path.join(made.dir, '.git'));
  made.write('.claude/settings.json', JSON.stringify(SETTINGS));
  return made;
}

/** One more line in each request than in the one before: whatever happened to the calls between them. */
function expectOneEach(requests: readonly string[]): void {
  expect(requests).toHaveLength(BATCHES.length + 1);
  const names = ['nothing yet', ...BATCHES.map(([name]) => name)];
  const counted = requests.map((request, at) => `after ${names[at]}: ${linesIn(request)}`);
  expect(counted).toEqual(names.map((name, at) => `after ${name}: ${at}`));
}

describe.skipIf(claude.type === 'missing')('the countdown in the real Claude Code', { timeout: 90_000 }, () => {
  const env = { ...QUIET_CLAUDE, STOPGATE_CLAUDE: program };
  const args = ['-p', 'do it', '--allowedTools=Bash,Read'];

  it('is one line after every batch of tool calls, whatever became of them', async () => {
    await using at = await project(batchesInTurn());
    const { code, stderr } = await at.run(['launch', '--time-budget', '20m', '--', ...args], { env });
    expect(code, stderr).toBe(0);
    expectOneEach(mainRequests(at));
  });

  it.runIf(ALL_HOSTS)('is one line beside the wiring of an older Stopgate', async () => {
    await using at = await project(batchesInTurn());
    const script = path.join(import.meta.dirname, '../../profiles/default/hooks/budget-countdown.sh');
    const older = { matcher: '*', hooks: [{ type: 'command', command: `"${script}" # stopgate`, timeout: 5 }] };
    at.write('.claude/settings.local.json', JSON.stringify({ hooks: { PostToolUse: [older] } }));
    const { code, stderr } = await at.run(['launch', '--time-budget', '20m', '--', ...args], { env });
    expect(code, stderr).toBe(0);
    expectOneEach(mainRequests(at));
  });

  it('comes with the next prompt when a person interrupted the batch, and only then', async () => {
    const begun = Promise.withResolvers<void>();
    await using at = await project((body) => {
      if ((body.tools ?? []).length < 3) return { text: 'ok' };
      const said = JSON.stringify(body.messages);
      if (said.includes('go on')) return { text: 'done' };
      if (said.includes('second')) return { tools: [bash('touch begun; perl -e "select undef, undef, undef, 60"')] };
      return { text: 'first is done' };
    });
    const init = await at.run(['init', '--yes', '--no-checks']);
    expect(init.code, init.stderr).toBe(0);
    const end = String(Math.floor(Date.now() / 1000) + 1200);
    const agent = startClaude({ program, project: at, env: { AUTORESEARCH_BUDGET_END: end } });
    await agent.prompt('first');
    const interrupted = agent.prompt('second');
    void at.sees('begun').then(begun.resolve);
    await begun.promise;
    agent.interrupt();
    await interrupted;
    await agent.prompt('go on');
    await agent.end();
    const requests = mainRequests(at);
    expect(requests.map(linesIn)).toEqual([0, 0, 1]);
  });
});

describe('the countdown in our own agent', { timeout: 30_000 }, () => {
  it('is one line after every batch of tool calls, whatever became of them', async () => {
    await using at = await project(batchesInTurn());
    const env = { AUTORESEARCH_BUDGET_END: String(Math.floor(Date.now() / 1000) + 1200) };
    const args = ['-p', 'do it', '--allowedTools', 'Bash,Read', '--trust-project'];
    const { code, stderr } = await at.run(args, { env });
    expect(code, stderr).toBe(0);
    expectOneEach(mainRequests(at));
  });

  it('comes at the start of a session that goes on after an interrupted batch', async () => {
    await using at = await project((body) =>
      JSON.stringify(body.messages).includes('go on')
        ? { text: 'done' }
        : { tools: [bash('touch begun; exec sleep 60')] },
    );
    const env = { AUTORESEARCH_BUDGET_END: String(Math.floor(Date.now() / 1000) + 1200) };
    const run = at.start(['-p', 'do it', '--allowedTools', 'Bash', '--trust-project'], { env });
    await at.sees('begun');
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    const { code, stderr } = await at.run(['-p', 'go on', '--continue', '--trust-project'], { env });
    expect(code, stderr).toBe(0);
    expect(mainRequests(at).map(linesIn)).toEqual([0, 1]);
  });
});
