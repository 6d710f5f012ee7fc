import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECK, type Given, LIES_TOLD, PROTECT, soonStalled, TOLD_TOGETHER, writeGiven } from '../support/lies.ts';
import { testProject } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

/** An agent that runs these commands first, and then claims to be done at every stop. */
const liar = (commands: readonly string[]) => {
  let isFirst = true;
  return () => {
    if (!isFirst) return { text: 'All tests pass. Done.' };
    isFirst = false;
    return { tools: commands.map((command) => ({ name: 'Bash', input: { command } })) };
  };
};

async function session(commands: string | readonly string[], given: Given = {}) {
  const project = await testProject(liar([commands].flat()));
  writeGiven(project, given);
  const args = ['-p', 'Fix it', '--dangerously-skip-permissions', '--output-format', 'json'];
  const end = await project.run(args, { env: { STOPGATE_TRUST_PROJECT: '1' } });
  const told = JSON.stringify(project.server.seen.map(({ body }) => body.messages.at(-1)));
  return { ...end, result: end.lines[0], told, project };
}

describe.concurrent('an agent that changes its own gate is held by the one it began with', () => {
  it.each(LIES_TOLD)('%s', async (_what, command, given, named) => {
    const { result, told, stderr, project } = await session(command, soonStalled(given));
    await using _ = project;
    expect(result.terminal_reason, stderr).toMatch(/checks_(?:stalled|capped)/);
    expect(told).toMatch(/Not done yet/);
    expect(`${result.checks.reason}`).toMatch(named);
  });

  // `npm run test:long` tells each of them alone
  it.each(IS_LONG ? [] : TOLD_TOGETHER)('$what, all in one session', async ({ lies, given }) => {
    const { result, stderr, project } = await session(
      lies.map(({ command }) => command),
      soonStalled(given),
    );
    await using _ = project;
    expect(result.checks, stderr).toMatchObject({ type: 'stalled' });
    // each check is a gate of its own: one that passed names the lie that got through
    const passed = result.checks.checks.filter(({ outcome }: { outcome: string }) => outcome !== 'failed');
    expect(passed).toEqual([]);
    const unnamed = lies.filter(({ named }) => !named.test(result.checks.reason)).map(({ command }) => command);
    expect(unnamed, result.checks.reason).toEqual([]);
  });

  it('is refused what writes to its gate with permissions bypassed', async () => {
    const commands = [
      'echo x > stopgate.config.json',
      'touch ~/.stopgate/off',
      'rm -rf "$HOME/.stopgate/gates"',
      'mkdir .claude; echo {} > .claude/settings.local.json',
      'mkdir -p ~/.claude && echo {} > ~/.claude/settings.json',
      'mkdir .codex; cd .codex && touch hooks.json',
    ];
    const { result, stderr, project } = await session(commands, soonStalled({}));
    await using _ = project;
    const answers: unknown[] = project.server.seen[1]?.body.messages.at(-1)?.content ?? [];
    const refused = answers
      .map((answer) => JSON.stringify(answer))
      .filter((answer) => answer.includes('tool_result'))
      .map((answer) => answer.includes('decides when this agent may stop'));
    expect(commands.map((command, at) => [command, refused[at]])).toEqual(commands.map((command) => [command, true]));
    expect(result.checks.reason, stderr).toMatch(/^stalled \(still failing: tests; no file changed in the last/);
  });

  const ON_RECORDS = [
    ['deletes', 'fs.rmSync(f)'],
    ['deletes all of', 'fs.rmSync(d + "../starts/" + n); fs.rmSync(f)'],
    ['edits', 'fs.writeFileSync(f, fs.readFileSync(f, "utf8").replace("check.sh", "other.sh"))'],
  ] as const;
  it.each(sampleOf(ON_RECORDS, ([how]) => how !== 'deletes'))(
    'gets no verdict, and no proof, when it %s the record of what its session began with',
    async (_how, act) => {
      const each = `const d = process.env.HOME + "/.stop" + "gate/gates/frozen/"; for (const n of fs.readdirSync(d)) { const f = d + n; ${act} }`;
      const { result, told, stderr, project } = await session(`node -e '${each}'; echo exit 0 > scripts/check.sh`);
      await using _ = project;
      expect(told).toContain('the record of what this session began with is missing or was changed by hand');
      expect(result.checks, stderr).toMatchObject({ type: 'error' });
    },
  );

  it('does what the frozen gate wants and passes, although it changed the script', async () => {
    const { result, stderr, project } = await session('touch fixed; echo exit 0 > scripts/check.sh');
    await using _ = project;
    expect(result.terminal_reason, stderr).toBe('completed');
    expect(result.checks).toMatchObject({ type: 'passed', decidedBy: 'start' });
    expect(result.checks.reason).toMatch(/scripts\/check\.sh edited; those from its start decided/);
    // the agent's tree is its own
    expect(project.read('scripts/check.sh')).toBe('exit 0\n');
  });

  it('may change what the configuration calls editable', async () => {
    const config = { checks: [{ name: 'run', command: 'node run.js' }], editable: ['run.js'] };
    const { result, stderr, project } = await session('echo "" > run.js', { config });
    await using _ = project;
    expect([result.terminal_reason, result.checks.reason], stderr).toEqual(['completed', 'passed (run)']);
  });

  it('is named when it skips tests by the configuration of the runner, or puts a program in its place', async () => {
    const given: Given = {
      config: { checks: [{ name: 'tests', command: './node_modules/.bin/vitest run' }] },
      files: { '.gitignore': 'node_modules\n', 'node_modules/.bin/vitest': '#!/bin/sh\nexit 0\n' },
    };
    const { result, stderr, project } = await session(
      'touch work && echo "export default { exclude: [] }" > vitest.config.ts && echo "# mine" >> node_modules/.bin/vitest',
      given,
    );
    await using _ = project;
    const named = 'vitest.config.ts created, node_modules/.bin/vitest edited';
    expect(result.checks, stderr).toMatchObject({ type: 'passed', obeyed: named });
    expect(result.checks.reason).toContain(`changed during this session, and obeyed by the checks: ${named}`);
    expect((await project.run(['receipt'])).stdout).toMatch(/obey configuration that changed/);
  });

  it('may build what a script reads, where git ignores it', async () => {
    const files = {
      '.gitignore': '.venv\n',
      'scripts/check.sh': '. ./.venv/bin/activate && test -n "$ACTIVE" && test -e fixed\n',
    };
    const command = 'mkdir -p .venv/bin && echo ACTIVE=1 > .venv/bin/activate && touch fixed';
    const { result, stderr, project } = await session(command, { files });
    await using _ = project;
    expect([result.terminal_reason, result.checks.reason], stderr).toEqual(['completed', 'passed (tests)']);
  });

  it('may add a file among protected ones, which is named', async () => {
    const { result, stderr, project } = await session('touch test/b.test.js', { config: PROTECT });
    await using _ = project;
    expect(result.terminal_reason, stderr).toBe('completed');
    expect(result.checks.reason).toMatch(/test\/b\.test\.js created among protected files/);
  });

  it('shows the difference of a protected file to the agent', async () => {
    const { told, result, project } = await session('echo changed > test/a.test.js', soonStalled({ config: PROTECT }));
    await using _ = project;
    expect(result.checks).toMatchObject({ type: 'stalled', reason: expect.stringContaining('protected files') });
    expect(told).toMatch(/test\/a\.test\.js \(edited\)/);
    expect(told).toContain('-throw new Error');
    expect(told).toContain('+changed');
  });
});

describe.concurrent('background commands are no excuse', () => {
  const run = async (command: string, ceilingMs: number) => {
    let isFirst = true;
    const project = await testProject(() => {
      if (!isFirst) return { text: 'All tests pass. Done.' };
      isFirst = false;
      return { tools: [{ name: 'Bash', input: { command, run_in_background: true } }] };
    });
    execFileSync('git', ['init', '-q'], { cwd: project.dir });
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}],"stallAfter":1}');
    const args = ['-p', 'Fix it', '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose'];
    const env = { STOPGATE_TRUST_PROJECT: '1', STOPGATE_BG_WAIT_CEILING_MS: String(ceilingMs) };
    const { lines, stderr } = await project.run(args, { env });
    return { project, stderr, lines, results: lines.filter(({ type }) => type === 'result') };
  };

  it('waits for one that ends, and then runs the checks', async () => {
    const { project, results, stderr } = await run('sleep 1; touch fixed', 60_000);
    await using _ = project;
    expect(results[0].checks, stderr).toMatchObject({ type: 'passed', reason: 'passed (tests)' });
  });

  it('runs the checks beside one that does not end, and names it', async () => {
    const { project, lines, results, stderr } = await run('sleep 4711', 1_000);
    await using _ = project;
    expect(results[0].checks, stderr).toMatchObject({ type: 'stalled' });
    expect(JSON.stringify(lines)).toContain(
      'sleep 4711 still running in the background; the stop was checked beside it',
    );
  });
});

it('says that files cannot be protected outside a git repository, instead of passing', async () => {
  await using project = await testProject(() => ({ text: 'Done.' }));
  project.write('stopgate.config.json', JSON.stringify({ ...PROTECT, stallAfter: 1 }));
  const args = ['-p', 'Fix it', '--dangerously-skip-permissions', '--output-format', 'json'];
  const { lines } = await project.run(args, { env: { STOPGATE_TRUST_PROJECT: '1' } });
  expect(lines[0].checks).toMatchObject({ type: 'stalled' });
  expect(JSON.stringify(project.server.seen.at(-1)?.body.messages)).toMatch(/is not in a git repository/);
});

it('writes nothing outside its own copy when the project is reached by a link', async () => {
  await using project = await testProject();
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  project.write('stopgate.config.json', JSON.stringify(CHECK));
  project.write('scripts/check.sh', 'test -e fixed\n');
  const link = path.join(project.dir, '../a-link');
  symlinkSync(project.dir, link);
  const event = (name: string) => ({
    input: JSON.stringify({ session_id: 's', prompt_id: 'p', cwd: link, hook_event_name: name, source: 'startup' }),
    env: { STOPGATE_TRUST_PROJECT: '1', CLAUDE_PROJECT_DIR: link },
  });
  await project.run(['hook', 'session-start'], event('SessionStart'));
  project.write('fixed', '');
  project.write('scripts/check.sh', '# mine\nexit 1\n');
  const { stdout } = await project.run(['hook', 'stop'], event('Stop'));
  expect(stdout).toMatch(
    /passed \(tests\); changed during this session: scripts\/check\.sh edited; those from its start/,
  );
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(path.join(project.home, '.stopgate/gates/scratch'))).toEqual([]);
});

it('leaves dependencies alone that a check of the copy installs again', async () => {
  const config = { checks: [{ name: 'tests', command: 'sh scripts/check.sh' }] };
  const files = {
    '.gitignore': 'node_modules\n',
    'scripts/check.sh': 'rm -rf node_modules/* && test -e fixed\n',
  };
  const command = 'mkdir -p node_modules/dep && touch node_modules/dep/x fixed && echo "# mine" >> scripts/check.sh';
  const { result, stderr, project } = await session(command, { config, files });
  await using _ = project;
  expect(result.checks.reason, stderr).toMatch(
    /^passed \(tests\); changed during this session: scripts\/check\.sh edited/,
  );
  expect(project.read('node_modules/dep/x')).toBe('');
});
