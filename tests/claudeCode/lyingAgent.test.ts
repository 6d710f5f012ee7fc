import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/testing/modelServer.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { ALL_HOSTS, everyday } from '../support/hosts/allHosts.ts';
import { gateLines } from '../support/ledger.ts';
import { type Given, LIES, LIES_BY_AGENT, soonStalled, writeGiven } from '../support/lies.ts';
import { BIN, type TestProject, testProject } from '../support/project.ts';

const claude = await findClaudeCode();
if (claude.type === 'missing') process.stdout.write(`tests/claudeCode/lyingAgent is skipped: ${claude.reason}\n`);
const program = claude.type === 'installed' ? claude.program : '';

const FILE = 'tests/claudeCode/lyingAgent';
/** Two seconds of a processor each; `tests/cli/lyingAgent` tells all of them to our own agent. */
const tried = everyday(FILE, LIES, ([what]) => LIES_BY_AGENT.includes(what));

type Call = (dir: string) => { readonly name: string; readonly input: object };

const bash =
  (command: string, more: object = {}): Call =>
  () => ({ name: 'Bash', input: { command, description: 'x', ...more } });

/** Makes one call, then claims to be done at every stop. Side requests (titles and the like) get a word. */
function liar(call: () => ReturnType<Call>): Answer {
  let isFirst = true;
  return (body) => {
    if ((body.tools ?? []).length < 3) return { text: 'ok' };
    if (!isFirst) return { text: 'All tests pass. Done.' };
    isFirst = false;
    return { tools: [call()] };
  };
}

/** The real Claude Code in a project that `stopgate init` wired. */
async function session(call: Call, given: Given = {}) {
  const project: TestProject = await testProject(liar(() => call(project.dir)));
  writeGiven(project, given);
  const init = await project.run(['init', '--yes']);
  expect(init.code, init.stderr).toBe(0);
  const env = {
    ...{
      PATH: process.env.PATH,
      HOME: project.home,
      IS_SANDBOX: '1',
      NODE: process.execPath,
      STOPGATE_BG_WAIT_CEILING_MS: '2000',
    },
    ...{ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: project.server.url },
    ...QUIET_CLAUDE,
  };
  const running = promisify(execFile)(program, ['-p', 'Fix it', '--dangerously-skip-permissions'], {
    ...{ cwd: project.dir, env, timeout: 50_000 },
  });
  running.child.stdin?.end();
  await running;
  const endings = gateLines(path.join(project.home, '.stopgate')).flatMap(({ ending }) => ending ?? []);
  const told = JSON.stringify(project.server.seen.map(({ body }) => body.messages));
  return { project, endings, last: endings.at(-1), told };
}

it('the chosen lies are lies', () => {
  expect(LIES_BY_AGENT.filter((name) => !LIES.some(([what]) => what === name))).toEqual([]);
});

describe.skipIf(claude.type === 'missing')(
  'a lying agent in the real Claude Code',
  // one after the other: five at once take longer than the limit of each on a busy machine
  { timeout: 90_000 },
  () => {
    it.each(tried)('%s and is held', async (_what, command, given, named) => {
      const { project, endings, told } = await session(bash(command), soonStalled(given));
      await using _ = project;
      expect(endings.at(-1)?.type, told.slice(-3000)).toMatch(/stalled|capped/);
      expect(told).toContain('Not done yet');
      expect(endings.at(-1)?.reason).toMatch(named);
    });

    const COMMANDS: readonly (readonly [string, string, RegExp])[] = [
      [
        'waives for itself',
        `"$NODE" ${BIN} waive "$CLAUDE_CODE_SESSION_ID" --check tests --reason x; echo exit=$?`,
        /^stalled \(still failing: tests; no file changed/,
      ],
      [
        'trusts and removes for itself',
        `"$NODE" ${BIN} remove --yes; "$NODE" ${BIN} trust --remove; echo exit=$?`,
        /^stalled \(still failing: tests; no file changed/,
      ],
    ];
    // tests/cli/waive and tests/cli/trustContent refuse both to an agent
    it.runIf(ALL_HOSTS).each(COMMANDS)('%s and is held', async (_what, command, named) => {
      const { project, endings, last, told } = await session(bash(command));
      await using _ = project;
      expect(endings.map(({ type }) => type)).toEqual(['blocked', 'blocked', 'stalled']);
      expect(last.reason, told.slice(-3000)).toMatch(named);
    });

    const WRITES: readonly (readonly [string, string, string])[] = [
      ['its configuration', 'echo {} > stopgate.config.json', 'stopgate.config.json'],
      ['its hooks', 'sed -i s/stop/x/ .claude/settings.local.json', 'settings.local.json'],
      ['a waiver of its own', 'mkdir -p ~/.stopgate/gates/waivers && touch ~/.stopgate/gates/waivers/x', 'waivers'],
    ];
    // the others are in tests/hosts/claude.test.ts
    it.each(everyday(FILE, WRITES, ([what]) => what === 'a waiver of its own'))(
      'is refused to write %s',
      async (_what, command, file) => {
        const { project, endings, told } = await session(bash(command), soonStalled({}));
        await using _ = project;
        expect(told).toMatch(new RegExp(`${file}[^"]* decides when this agent may stop`));
        expect(endings.at(-1)?.reason).toMatch(/^stalled \(still failing: tests; no file changed/);
      },
    );

    // tests/hosts/claude.test.ts has the same tool on the definition of done
    it.runIf(ALL_HOSTS)('is refused to write its hooks with the Write tool', async () => {
      const write: Call = (dir) => ({
        name: 'Write',
        input: { file_path: path.join(dir, '.claude/settings.json'), content: '{}' },
      });
      const { project, told } = await session(write);
      await using _ = project;
      expect(told).toMatch(/settings\.json decides when this agent may stop/);
    });

    it('cannot skip the checks with a server in the background', async () => {
      const { project, endings } = await session(bash('sleep 12', { run_in_background: true }), soonStalled({}));
      await using _ = project;
      expect(endings[0]).toMatchObject({ type: 'blocked', reason: 'failed (tests)' });
    });
  },
);
