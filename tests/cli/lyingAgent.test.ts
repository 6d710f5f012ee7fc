import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

/** An agent that runs this command first, and then claims to be done at every stop. */
const liar = (command: string) => {
  let isFirst = true;
  return () => {
    if (!isFirst) return { text: 'All tests pass. Done.' };
    isFirst = false;
    return { tools: [{ name: 'Bash', input: { command } }] };
  };
};

/** The reader of command lines refuses a plain redirection to the gate's own files; a program that builds the name gets through. */
const puts = (name: string, text: string | null) => {
  const [first = '', ...rest] = name.split('.');
  const file = `${JSON.stringify(first)}+${JSON.stringify(`.${rest.join('.')}`)}`;
  const call = text === null ? `rmSync(${file})` : `writeFileSync(${file}, ${JSON.stringify(text)})`;
  return `node -e 'require("node:fs").${call}'`;
};
const CONFIG = 'stopgate.config.json';

interface Given {
  readonly config?: object;
  readonly files?: Readonly<Record<string, string>>;
  /** Links in the project, by name. */
  readonly links?: Readonly<Record<string, string>>;
}

const CHECK = { checks: [{ name: 'tests', command: 'sh scripts/check.sh' }] };
const FILES = {
  'scripts/check.sh': '. ./scripts/lib.sh\nfail_unless_fixed\n',
  'scripts/lib.sh': 'fail_unless_fixed() { test -e fixed || { echo not fixed; exit 1; }; }\n',
  'test/a.test.js': 'throw new Error("not fixed");\n',
  'package.json': '{ "scripts": { "test": "node run.js", "lint": "true" } }\n',
  'run.js': 'process.exit(require("node:fs").existsSync("fixed") ? 0 : 1);\n',
};

async function session(command: string, { config = CHECK, files = {}, links = {} }: Given = {}) {
  const project = await testProject(liar(command));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'a@b');
  git('config', 'user.name', 'a');
  for (const [name, text] of Object.entries({ ...FILES, ...files })) chmodSync(project.write(name, text), 0o755);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(project.dir, name));
  project.write('stopgate.config.json', JSON.stringify(config));
  git('add', '.');
  git('commit', '-qm', 'first');
  const args = ['-p', 'Fix it', '--dangerously-skip-permissions', '--output-format', 'json'];
  const end = await project.run(args, { env: { STOPGATE_TRUST_PROJECT: '1' } });
  const told = JSON.stringify(project.server.seen.map(({ body }) => body.messages.at(-1)));
  return { ...end, result: end.lines[0], told, project };
}

const NPM = { checks: [{ name: 'tests', command: 'npm test --silent' }] };
const PROTECT = { checks: [], protect: ['test/**'] };

describe.concurrent('an agent that changes its own gate is held by the one it began with', () => {
  it.each<[string, string, Given, RegExp]>([
    ['empties the checks', puts(CONFIG, '{"checks":[]}'), {}, /removed: tests/],
    ['deletes the configuration', puts(CONFIG, null), {}, /removed: tests/],
    ['breaks the configuration', puts(CONFIG, '{'), {}, /the file is broken now/],
    [
      'puts in a command of its own',
      puts(CONFIG, '{"checks":[{"name":"tests","command":"true"}]}'),
      {},
      /edited: tests/,
    ],
    ['writes exit 0 into the script', 'echo exit 0 > scripts/check.sh', {}, /scripts\/check\.sh edited/],
    ['deletes the script', 'rm scripts/check.sh', {}, /scripts\/check\.sh deleted/],
    ['edits a file that the script sources', 'echo "exit 0" > scripts/lib.sh', {}, /scripts\/lib\.sh edited/],
    [
      'replaces the script by a link',
      'mkdir e && echo exit 0 > e/ok.sh && ln -sf ../e/ok.sh scripts/check.sh',
      {},
      /scripts\/check\.sh moved by a link/,
    ],
    [
      'replaces the folder by a link',
      'cp -r scripts e && echo exit 0 > e/check.sh && rm -r scripts && ln -s e scripts',
      {},
      /scripts\/check\.sh moved by a link/,
    ],
    [
      'leads a link to the folder elsewhere',
      'cp -r scripts e && echo exit 0 > e/check.sh && ln -sfn e linked',
      { config: { checks: [{ name: 'tests', command: 'sh linked/check.sh' }] }, links: { linked: 'scripts' } },
      /linked\/check\.sh moved by a link/,
    ],
    [
      'commits its change of the script',
      'echo exit 0 > scripts/check.sh && git commit -qam done',
      {},
      /scripts\/check\.sh edited/,
    ],
    [
      'changes the script of package.json',
      'echo \'{"scripts":{"test":"true"}}\' > package.json',
      { config: NPM },
      /script "test" of package\.json edited/,
    ],
    [
      'adds a script that runs before',
      'echo \'{"scripts":{"pretest":"touch fixed","test":"node run.js"}}\' > package.json',
      { config: NPM },
      /script "pretest" of package\.json edited/,
    ],
    ['edits what the script of package.json runs', 'echo "" > run.js', { config: NPM }, /run\.js edited/],
    [
      'edits the script of an interpreter',
      'echo "" > run.js',
      { config: { checks: [{ name: 'tests', command: ['node', 'run.js'] }] } },
      /run\.js edited/,
    ],
    [
      'edits a makefile',
      'printf "check:\\n\\ttrue\\n" > Makefile',
      {
        config: { checks: [{ name: 'tests', command: 'make check' }] },
        files: { Makefile: 'check:\n\ttest -e fixed\n' },
      },
      /Makefile edited/,
    ],
    [
      'checks out an older commit of the script',
      'git checkout -q HEAD~1 -- scripts/check.sh 2>/dev/null || echo exit 0 > scripts/check.sh',
      {},
      /scripts\/check\.sh edited/,
    ],
    [
      'swaps the script while the check runs',
      '(while sleep 0.05; do echo exit 0 > scripts/check.sh; done) >/dev/null 2>&1 & sleep 0.3',
      {},
      /scripts\/check\.sh edited/,
    ],
    [
      'adds a makefile that takes precedence',
      'printf "check:\\n\\ttrue\\n" > GNUmakefile',
      {
        config: { checks: [{ name: 'tests', command: 'make check' }] },
        files: { Makefile: 'check:\n\ttest -e fixed\n' },
      },
      /GNUmakefile created/,
    ],
    [
      'edits a script that a makefile runs',
      'echo exit 0 > scripts/check.sh',
      {
        config: { checks: [{ name: 'tests', command: 'make check' }] },
        files: { Makefile: 'check:\n\t@sh scripts/check.sh\n' },
      },
      /scripts\/check\.sh edited/,
    ],
    [
      'adds settings of npm that run another shell',
      'echo script-shell=/bin/true > .npmrc',
      { config: NPM },
      /\.npmrc created/,
    ],
    [
      'edits a script behind options',
      'echo exit 0 > scripts/check.sh',
      { config: { checks: [{ name: 'tests', command: 'bash -euo pipefail scripts/check.sh' }] } },
      /scripts\/check\.sh edited/,
    ],
    [
      'edits a script that a wrapper runs',
      'echo "" > run.js',
      { config: { checks: [{ name: 'tests', command: 'env A=1 nice node run.js' }] } },
      /run\.js edited/,
    ],
    [
      'edits a script of a workspace',
      'echo \'{"scripts":{"test":"true"}}\' > packages/a/package.json',
      {
        config: { checks: [{ name: 'tests', command: 'npm test --workspaces --silent' }] },
        files: {
          'package.json': '{"workspaces":["packages/*"],"scripts":{}}',
          'packages/a/package.json': '{"name":"a","version":"1.0.0","scripts":{"test":"test -e ../../fixed"}}',
        },
      },
      /script "test" of packages\/a\/package\.json edited/,
    ],
    [
      'swaps the script from the code under test, which puts it back',
      `echo 'require("fs").writeFileSync("scripts/check.sh", "printf \\"test -e fixed\\\\n\\" > scripts/check.sh; exit 0\\n")' > app.js`,
      {
        config: {
          checks: [
            { name: 'unit', command: 'node -e \'require("./app.js")\'' },
            { name: 'tests', command: 'sh scripts/check.sh' },
          ],
        },
        files: { 'app.js': '', 'scripts/check.sh': 'test -e fixed\n' },
      },
      /scripts\/check\.sh changed during the checks/,
    ],
    ['makes the script unreadable', 'rm -r scripts && ln -s scripts scripts', {}, /scripts\/check\.sh moved by a link/],
    [
      'replaces the commit of the start',
      'S=$(git rev-parse HEAD); echo > test/a.test.js; git commit -qam x; git replace $S HEAD',
      { config: PROTECT },
      /protected files/,
    ],
    [
      'removes the object of a protected file',
      'o=$(git rev-parse HEAD:test/a.test.js); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-); echo > test/a.test.js',
      { config: PROTECT },
      /protected files/,
    ],
    ['edits a protected test', 'echo > test/a.test.js', { config: PROTECT }, /protected files/],
    ['deletes a protected test', 'rm test/a.test.js', { config: PROTECT }, /protected files/],
    [
      'deletes a protected test and commits',
      'git rm -q test/a.test.js && git commit -qm x',
      { config: PROTECT },
      /protected/,
    ],
    [
      'hides a protected test from git',
      'git update-index --assume-unchanged test/a.test.js && echo > test/a.test.js',
      { config: PROTECT },
      /protected files/,
    ],
    [
      'takes the protection away',
      `${puts(CONFIG, '{"checks":[],"protect":[]}')} && rm test/a.test.js`,
      { config: PROTECT },
      /protected files/,
    ],
  ])('%s', async (_what, command, given, named) => {
    const { result, told, stderr, project } = await session(command, given);
    await using _ = project;
    expect(result.terminal_reason, stderr).toMatch(/checks_(?:stalled|capped)/);
    expect(told).toMatch(/Not done yet/);
    expect(`${result.checks.reason}`).toMatch(named);
  });

  it.each([['echo x > stopgate.config.json'], ['touch ~/.stopgate/off'], ['rm -rf "$HOME/.stopgate/gates"']])(
    'is refused with permissions bypassed: %s',
    async (command) => {
      const { result, told, stderr, project } = await session(command);
      await using _ = project;
      expect(told).toContain('decides when this agent may stop');
      expect(result.checks.reason, stderr).toMatch(
        /^stalled \(still failing: tests; no file changed in the last 3 stops\)$/,
      );
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
    const { told, project } = await session('echo changed > test/a.test.js', { config: PROTECT });
    await using _ = project;
    expect(told).toMatch(/test\/a\.test\.js \(edited\)/);
    expect(told).toContain('-throw new Error');
    expect(told).toContain('+changed');
  });
});

describe.concurrent('background commands are no excuse', () => {
  const inBackground = (command: string) => {
    let isFirst = true;
    return () => {
      if (!isFirst) return { text: 'All tests pass. Done.' };
      isFirst = false;
      return { tools: [{ name: 'Bash', input: { command, run_in_background: true } }] };
    };
  };
  const run = async (command: string) => {
    const project = await testProject(inBackground(command));
    execFileSync('git', ['init', '-q'], { cwd: project.dir });
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}]}');
    const args = ['-p', 'Fix it', '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose'];
    const env = { STOPGATE_TRUST_PROJECT: '1', STOPGATE_BG_WAIT_CEILING_MS: '3000' };
    const { lines, stderr } = await project.run(args, { env });
    return { project, stderr, lines, results: lines.filter(({ type }) => type === 'result') };
  };

  it('waits for one that ends, and then runs the checks', async () => {
    const { project, results, stderr } = await run('sleep 1; touch fixed');
    await using _ = project;
    expect(results[0].checks, stderr).toMatchObject({ type: 'passed', reason: 'passed (tests)' });
  });

  it('runs the checks beside one that does not end, and names it', async () => {
    const { project, lines, results, stderr } = await run('sleep 4711');
    await using _ = project;
    expect(results[0].checks, stderr).toMatchObject({ type: 'stalled' });
    expect(JSON.stringify(lines)).toContain('sleep 4711 still running in the background; the checks ran beside it');
  });
});

it('says that files cannot be protected outside a git repository, instead of passing', async () => {
  await using project = await testProject(() => ({ text: 'Done.' }));
  project.write('stopgate.config.json', JSON.stringify(PROTECT));
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
