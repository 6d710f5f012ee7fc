import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestProject, testProject } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

const STOP = 'sh "$CLAUDE_PROJECT_DIR"/hooks/stop.sh';
const OTHER = 'touch other-ran';

function settings(stop: unknown, more: object = {}): string {
  const entry = typeof stop === 'string' ? { type: 'command', command: stop } : stop;
  return JSON.stringify({
    hooks: { Stop: [{ hooks: [entry] }], UserPromptSubmit: [{ hooks: [{ type: 'command', command: OTHER }] }] },
    ...more,
  });
}

/** Approves a project whose Stop hook runs `stop`, beside one that never changes. */
async function approve(project: TestProject, stop: unknown, files: Readonly<Record<string, string>>): Promise<void> {
  project.write('.claude/settings.json', settings(stop));
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  const { code, stderr } = await project.run(['trust', '--yes']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

/** Which hooks ran in a session. */
async function session(project: TestProject, args: readonly string[] = []) {
  for (const file of ['stop-ran', 'other-ran']) rmSync(path.join(project.dir, file), { force: true });
  const { stderr, lines } = await project.run(['-p', 'x', ...args]);
  const ran = ['stop-ran', 'other-ran'].filter((file) => existsSync(path.join(project.dir, file)));
  return { ran, stderr, lines };
}

const BOTH = ['stop-ran', 'other-ran'];
const RAN = 'touch "$CLAUDE_PROJECT_DIR"/stop-ran\n';
const git = (project: TestProject, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project.dir, stdio: 'pipe' });

/** What a Stop hook runs, in a folder of its own. It leaves a mark there. */
interface Change {
  readonly stop: (at: string) => string;
  readonly files: Readonly<Record<string, string>>;
  readonly prepare?: (put: Put) => void;
  readonly change: (put: Put) => void;
  /** In the reason. */
  readonly named: (at: string) => string;
  /** In what `stopgate trust` then shows. */
  readonly shown: (at: string) => readonly string[];
}

/** In the folder of one hook. */
interface Put {
  readonly at: string;
  write(file: string, text: string): void;
  /** A link, also in the place of another one. */
  link(target: string, file: string): void;
  /** Edits the entry of the hook in the settings. */
  entry(command: string): void;
}

const MARK = 'touch "$(dirname "$0")"/ran\n';
const stopSh = (at: string) => `sh "$CLAUDE_PROJECT_DIR"/${at}/stop.sh`;
const GATE = '{"scripts":{"gate":"touch ran"}}';
const NPM = (at: string) => `npm run --silent --prefix ${at} gate`;
const TOUCH = 'import { writeFileSync } from "node:fs";\nwriteFileSync(import.meta.dirname + "/ran", "");\n';

const CHANGES: Readonly<Record<string, Change>> = {
  'the script': {
    ...{ stop: stopSh, files: { 'stop.sh': MARK } },
    change: ({ write }) => write('stop.sh', `${MARK}: evil\n`),
    named: (at) => `${at}/stop.sh: edited`,
    shown: (at) => [`File edited  ${at}/stop.sh`, '    +: evil'],
  },
  'a file that the script sources': {
    ...{ stop: stopSh, files: { 'stop.sh': `. "$(dirname "$0")/lib.sh"\n${MARK}`, 'lib.sh': 'A=1\n' } },
    change: ({ write }) => write('lib.sh', 'A=2\n'),
    named: (at) => `${at}/lib.sh: edited`,
    shown: (at) => [`File edited  ${at}/lib.sh`, '    -A=1', '    +A=2'],
  },
  'a newly sourced file': {
    ...{ stop: stopSh, files: { 'stop.sh': MARK } },
    change: ({ write }) => {
      write('new.sh', ': evil\n');
      write('stop.sh', `. "$(dirname "$0")/new.sh"\n${MARK}`);
    },
    named: (at) => `${at}/stop.sh: edited`,
    shown: (at) => [`File added  ${at}/new.sh`, '    +: evil', `File edited  ${at}/stop.sh`],
  },
  'a sourced file that did not exist': {
    ...{ stop: stopSh, files: { 'stop.sh': `[ ! -f AT/late.sh ] || . ./AT/late.sh\n${MARK}` } },
    change: ({ write }) => write('late.sh', ': evil\n'),
    named: (at) => `${at}/late.sh: created`,
    shown: (at) => [`File added  ${at}/late.sh`],
  },
  'an argument of the interpreter': {
    stop: (at) => `node --require ./${at}/first.cjs ${at}/stop.cjs`,
    files: { 'stop.cjs': 'require("fs").writeFileSync(__dirname + "/ran", "")', 'first.cjs': '' },
    change: ({ write }) => write('first.cjs', 'globalThis.evil = 1\n'),
    named: (at) => `${at}/first.cjs: edited`,
    shown: (at) => [`File edited  ${at}/first.cjs`, '    +globalThis.evil = 1'],
  },
  'a module that the script loads': {
    stop: (at) => `node ${at}/stop.mjs`,
    files: { 'stop.mjs': 'import "./lib.mjs";\n', 'lib.mjs': TOUCH },
    change: ({ write }) => write('lib.mjs', `${TOUCH}// evil\n`),
    named: (at) => `${at}/lib.mjs: edited`,
    shown: (at) => [`File edited  ${at}/lib.mjs`, '    +// evil'],
  },
  'the target of a link': {
    ...{ stop: stopSh, files: { 'good.sh': MARK, 'evil.sh': `${MARK}# evil\n` } },
    prepare: ({ link }) => link('good.sh', 'stop.sh'),
    change: ({ link }) => link('evil.sh', 'stop.sh'),
    named: (at) => `${at}/stop.sh: moved by a link`,
    shown: (at) => [`${at}/stop.sh`, '    +# evil'],
  },
  'what a link leads to': {
    ...{ stop: stopSh, files: { 'good.sh': MARK } },
    prepare: ({ link }) => link('good.sh', 'stop.sh'),
    change: ({ write }) => write('good.sh', `${MARK}# evil\n`),
    named: (at) => `${at}/stop.sh: edited`,
    shown: () => ['    +# evil'],
  },
  'a linked folder': {
    stop: (at) => `sh ${at}/linked/stop.sh && touch ${at}/ran`,
    files: { 'good/stop.sh': ': good\n', 'evil/stop.sh': ': evil\n' },
    prepare: ({ link }) => link('good', 'linked'),
    change: ({ link }) => link('evil', 'linked'),
    named: (at) => `${at}/linked/stop.sh: moved by a link`,
    shown: (at) => [`${at}/linked/stop.sh`],
  },
  'a script of package.json': {
    ...{ stop: NPM, files: { 'package.json': GATE } },
    change: ({ write }) => write('package.json', '{"scripts":{"gate":"touch ran; : evil"}}'),
    named: (at) => `${at}/package.json: script "gate" edited`,
    shown: (at) => [`File edited  ${at}/package.json`, '    +gate: touch ran; : evil'],
  },
  'a script before it': {
    ...{ stop: NPM, files: { 'package.json': GATE } },
    change: ({ write }) => write('package.json', '{"scripts":{"gate":"touch ran","pregate":": evil"}}'),
    named: (at) => `${at}/package.json: script "pregate" edited`,
    shown: () => ['    +pregate: : evil'],
  },
  'the entry': {
    ...{ stop: (at) => `touch ${at}/ran`, files: {} },
    change: ({ at, entry }) => entry(`touch ${at}/ran; : evil`),
    named: (at) => `Hook not run: Stop touch ${at}/ran; : evil`,
    shown: (at) => ['Hook edited', `    - touch ${at}/ran`, `    + touch ${at}/ran; : evil`],
  },
};

/** Another file that is read as one of the others is; tests/cli/lyingAgent and src/stop/frozen have these, too. */
const VARIANTS: readonly string[] = [
  'a file that the script sources',
  'what a link leads to',
  'a linked folder',
  'a script of package.json',
];
const SAMPLE = Object.keys(CHANGES).filter((name) => !VARIANTS.includes(name));
/** In every run, all of the sample in one project: each has a hook of its own. */
const TOGETHER: readonly (readonly [string, readonly string[]])[] = IS_LONG
  ? Object.keys(CHANGES).map((name) => [name, [name]] as const)
  : [['each of a sample', SAMPLE] as const];

describe.concurrent('what changed since it was trusted', { timeout: 60_000 }, () => {
  it.each(TOGETHER)('%s: is off, named and shown, until it is approved', async (_what, names) => {
    await using project = await testProject(() => ({ text: 'done' }));
    const hooks = names.map((name, index) => ({ name, at: `hook-${index}`, one: CHANGES[name] as Change }));
    const commands = new Map(hooks.map(({ at, one }) => [at, one.stop(at)]));
    const writeSettings = () => {
      const stops = [...commands.values()].map((command) => ({ type: 'command', command }));
      const other = [{ hooks: [{ type: 'command', command: OTHER }] }];
      project.write(
        '.claude/settings.json',
        JSON.stringify({ hooks: { Stop: [{ hooks: stops }], UserPromptSubmit: other } }),
      );
    };
    const putOf = (at: string): Put => ({
      at,
      write: (file, text) => void project.write(`${at}/${file}`, text.replaceAll('AT', at)),
      link: (target, file) => {
        rmSync(path.join(project.dir, at, file), { force: true });
        symlinkSync(target, path.join(project.dir, at, file));
      },
      entry: (command) => {
        commands.set(at, command);
        writeSettings();
      },
    });
    const ran = async () => {
      const { stderr } = await session(project);
      const marked = hooks.filter(({ at }) => existsSync(path.join(project.dir, at, 'ran'))).map(({ name }) => name);
      for (const { at } of hooks) rmSync(path.join(project.dir, at, 'ran'), { force: true });
      return { marked, other: existsSync(path.join(project.dir, 'other-ran')), stderr };
    };
    for (const { at, one } of hooks) {
      const put = putOf(at);
      mkdirSync(path.join(project.dir, at));
      for (const [file, text] of Object.entries(one.files)) put.write(file, text);
      one.prepare?.(put);
    }
    writeSettings();
    expect(await project.run(['trust', '--yes'])).toMatchObject({ code: 0, stderr: '' });
    expect(await ran()).toEqual({ marked: names, other: true, stderr: '' });
    for (const { at, one } of hooks) one.change(putOf(at));
    const changed = await ran();
    expect(changed).toMatchObject({ marked: [], other: true });
    expect(
      changed.stderr.match(/^stopgate: Hook not run: Stop .*: changed since you trusted it: run `stopgate trust`/gm),
    ).toHaveLength(names.length);
    for (const { at, one } of hooks) expect(changed.stderr).toContain(one.named(at));
    const { stdout } = await project.run(['trust', '--yes']);
    expect(stdout).toContain(`${project.dir}: changed since you trusted it.`);
    for (const text of hooks.flatMap(({ at, one }) => one.shown(at))) expect(stdout).toContain(text);
    expect(stdout).not.toContain(OTHER);
    expect(await ran()).toEqual({ marked: names, other: true, stderr: '' });
  });

  it('a new entry is off, and those beside it go on', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    await approve(project, 'touch stop-ran', {});
    const entries = JSON.parse(settings('touch stop-ran'));
    entries.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'touch evil-ran' }] });
    project.write('.claude/settings.json', JSON.stringify(entries));
    const { ran, stderr } = await session(project);
    expect(ran).toEqual(BOTH);
    expect(existsSync(path.join(project.dir, 'evil-ran'))).toBe(false);
    expect(stderr).toMatch(
      /^stopgate: Hook not run: Stop touch evil-ran \(.*: \S+ since you trusted .*: run `stopgate trust`\.\n$/,
    );
  });

  it('stands in hooks list, hooks explain, status, the init message and the list of folders', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    await approve(project, STOP, { 'hooks/stop.sh': RAN });
    const unchanged = JSON.parse((await project.run(['trust', '--list', '--json'])).stdout);
    expect(unchanged).toMatchObject([{ folder: project.dir, state: 'current' }]);
    project.write('hooks/stop.sh', '# evil');
    const reason = 'changed since you trusted it: run `stopgate trust` (hooks/stop.sh: edited)';
    const list = JSON.parse((await project.run(['hooks', 'list', '--json'])).stdout);
    expect(list.hooks).toMatchObject([
      { event: 'UserPromptSubmit', state: 'runs' },
      { event: 'Stop', state: 'skipped', reason },
    ]);
    const explained = JSON.parse((await project.run(['hooks', 'explain', 'Stop', '--json'])).stdout);
    expect(explained.hooks).toMatchObject([{ wouldRun: false, whyNot: reason, trust: 'changed since trusted' }]);
    const status = JSON.parse((await project.run(['status', '--json'])).stdout);
    expect(status.trust).toEqual({ level: 'content', leftOut: [expect.stringContaining(reason)] });
    expect((await project.run(['status'])).stdout).toContain("Off in this project's own files\nHook not run: Stop ");
    const { lines } = await session(project, ['--output-format', 'stream-json', '--verbose']);
    expect(lines[0]).toMatchObject({ subtype: 'init', not_trusted: [expect.stringContaining(reason)] });
    expect((await project.run(['trust', '--list'])).stdout).toContain('(changed: run `stopgate trust` there)');
  });

  it('is not approved by a difference that was only shown', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    await approve(project, STOP, { 'hooks/stop.sh': RAN });
    project.write('hooks/stop.sh', `${RAN}# evil\n`);
    const { code, stdout, stderr } = await project.run(['trust']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
    expect(stdout).toContain('+# evil');
    expect((await session(project)).ran).toEqual(['other-ran']);
    const json = JSON.parse((await project.run(['trust', '--yes', '--json'])).stdout);
    expect(json.difference).toEqual({
      items: [],
      files: [{ path: 'hooks/stop.sh', how: 'edited', diff: expect.stringContaining('+# evil') }],
    });
    expect(json.already).toBe(false);
  });
});

describe.concurrent('a branch', { timeout: 60_000 }, () => {
  /** Main is approved; the branch `pr` has another script. */
  async function withBranch(project: TestProject): Promise<void> {
    git(project, 'init', '--quiet', '-b', 'main');
    project.write('hooks/stop.sh', RAN);
    project.write('.claude/settings.json', settings(STOP));
    git(project, 'add', '.');
    git(project, 'commit', '--quiet', '-m', 'main');
    git(project, 'checkout', '--quiet', '-b', 'pr');
    project.write('hooks/stop.sh', `${RAN}touch "$CLAUDE_PROJECT_DIR"/evil-ran\n`);
    git(project, 'commit', '--quiet', '-am', 'pr');
    git(project, 'checkout', '--quiet', 'main');
    expect((await project.run(['trust', '--yes'])).code).toBe(0);
  }

  it('of a pull request in a trusted folder does not run its hook (crucible#604); main goes on without a question', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    await withBranch(project);
    git(project, 'checkout', '--quiet', 'pr');
    const { ran, stderr } = await session(project);
    expect([ran, existsSync(path.join(project.dir, 'evil-ran'))]).toEqual([['other-ran'], false]);
    expect(stderr).toContain('(hooks/stop.sh: edited)');
    git(project, 'checkout', '--quiet', 'main');
    expect(await session(project)).toMatchObject({ ran: BOTH, stderr: '' });
  });

  it('that is switched to between the start of a session and a hook does not run', async () => {
    const folder = { switch: () => {} };
    await using project = await testProject(() => {
      folder.switch();
      return { text: 'done' };
    });
    await withBranch(project);
    folder.switch = () => void git(project, 'checkout', '--quiet', 'pr');
    const { ran, stderr } = await session(project);
    expect([ran, existsSync(path.join(project.dir, 'evil-ran'))]).toEqual([['other-ran'], false]);
    expect(stderr).toContain('Hook not run: Stop ');
    expect(stderr).toContain('(hooks/stop.sh: edited)');
  });

  it('in a worktree of ours is trusted for what was approved, and only that', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    await withBranch(project);
    const trees = path.join(project.home, '.stopgate/worktrees');
    mkdirSync(trees, { recursive: true });
    for (const [name, branch] of [
      ['same', 'main'],
      ['other', 'pr'],
    ] as const) {
      const tree = path.join(trees, name);
      git(project, 'worktree', 'add', '--quiet', '-b', `of-${name}`, tree, branch);
      const list = JSON.parse((await project.run(['hooks', 'list', '--json'], { cwd: tree })).stdout);
      expect([name, list.counts.run]).toEqual([name, name === 'same' ? 2 : 1]);
    }
  });
});

describe.concurrent('the agent of a session', { timeout: 60_000 }, () => {
  const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'x' } }] });
  const prompt = ['--allowedTools', 'Bash', '--permission-mode', 'bypassPermissions'];

  it('that edits a trusted hook script switches it off, which is named once', async () => {
    await using project = await testProject((_body, n) =>
      n < 3 ? bash(`echo "# ${n}" >> hooks/tool.sh`) : { text: 'done' },
    );
    project.write('hooks/tool.sh', 'echo ran >> tool-ran\n');
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sh hooks/tool.sh' }] }] };
    project.write('.claude/settings.json', JSON.stringify({ hooks }));
    await project.run(['trust', '--yes']);
    const { stderr } = await project.run(['-p', 'x', ...prompt]);
    expect(project.read('tool-ran')).toBe('ran\n');
    expect(stderr.match(/Hook not run: PreToolUse sh hooks\/tool\.sh/g)).toHaveLength(1);
  });

  it('does not pass a hook whose failure blocks by editing its script', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? bash('echo "exit 0" > hooks/stop.sh') : { text: 'done' },
    );
    await approve(project, { type: 'command', command: STOP, onError: 'block' }, { 'hooks/stop.sh': 'exit 2\n' });
    const { stderr } = await project.run(['-p', 'x', ...prompt, '--max-turns', '4']);
    const last = JSON.stringify(project.server.seen.at(-1));
    expect(last).toContain('it was not run: changed since you trusted it');
    expect(stderr.match(/Hook not run: Stop/g)).toHaveLength(1);
  });

  it('cannot put another script in the place of an approved one by going elsewhere', async () => {
    await using project = await testProject((_body, n) => (n === 0 ? bash('cd elsewhere && pwd') : { text: 'done' }));
    await approve(project, 'sh stop.sh', { 'stop.sh': 'touch stop-ran\n', 'elsewhere/stop.sh': 'touch evil-ran\n' });
    const { stderr } = await project.run(['-p', 'x', ...prompt]);
    expect(existsSync(path.join(project.dir, 'elsewhere/evil-ran'))).toBe(false);
    expect(stderr).toMatch(/Hook not run: Stop sh stop\.sh .*elsewhere\/stop\.sh, which you have not approved/);
  });

  it('cannot approve for itself, with --yes or without', async () => {
    const command = `${process.execPath} ${path.join(import.meta.dirname, '../../bin/stopgate.js')} trust --yes`;
    await using project = await testProject((_body, n) => (n === 0 ? bash(command) : { text: 'done' }));
    project.write('.claude/settings.json', settings('touch stop-ran'));
    await project.run(['-p', 'x', ...prompt]);
    expect(JSON.stringify(project.server.seen.at(-1))).toContain('stopgate trust is for people');
    expect((await project.run(['trust', '--list'])).stdout).toBe('No folder is trusted.\n');
  });
});

describe.concurrent('settings, servers and commands', { timeout: 60_000 }, () => {
  it('a new allow rule and a changed variable are left out, and those that were approved hold', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    const write = (allow: string[], env: object) =>
      project.write('.claude/settings.json', JSON.stringify({ permissions: { allow }, env }));
    write(['Bash(make *)'], { A: '1', TOKEN: 'sk-secret' });
    await project.run(['trust', '--yes']);
    expect((await project.run(['-p', 'x'])).stderr).toBe('');
    write(['Bash(make *)', 'Bash(curl *)'], { A: '2', TOKEN: 'sk-secret' });
    const { stderr } = await project.run(['-p', 'x']);
    expect(stderr).toMatch(/permissions\.allow is left out \(Bash\(curl \*\)\): changed since you trusted it/);
    expect(stderr).toMatch(/env is left out \(A\): changed since you trusted it/);
    const folder = path.join(project.home, '.stopgate/trust');
    for (const name of readdirSync(folder))
      expect(readFileSync(path.join(folder, name), 'utf8')).not.toContain('sk-secret');
  });

  it('a changed MCP server is not started, and one beside it is', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    const write = (second: string) =>
      project.write(
        '.mcp.json',
        JSON.stringify({ mcpServers: { one: { command: 'no-such-one' }, two: { command: second } } }),
      );
    write('no-such-two');
    await project.run(['trust', '--yes']);
    write('evil');
    const { stderr } = await project.run(['-p', 'x']);
    expect(stderr).toMatch(/mcpServers\.two is not started: changed since you trusted it/);
    expect(stderr).toContain('no-such-one');
    expect(stderr).not.toContain('mcpServers.one');
  });

  it('count with the files that they run', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    const env = { NODE_OPTIONS: '--require ./first.cjs' };
    const statusLine = { type: 'command', command: 'sh status.sh' };
    project.write('.claude/settings.json', JSON.stringify({ apiKeyHelper: 'sh key.sh', env, statusLine }));
    project.write('.claude/commands/go.md', 'Do !`sh go.sh`');
    const files = ['key.sh', 'first.cjs', 'go.sh', 'status.sh'];
    for (const file of files) project.write(file, '');
    expect((await project.run(['trust', '--yes'])).stdout).toContain('"command":"sh status.sh"');
    expect((await project.run(['-p', '/go'])).stderr).toBe('');
    for (const file of files) project.write(file, '# evil');
    const { stderr } = await project.run(['-p', '/go']);
    expect(stderr).toMatch(/apiKeyHelper is left out .*changed since you trusted it/);
    expect(stderr).toMatch(/statusLine is left out.*changed since you trusted it/);
    expect(stderr).toMatch(/env is left out \(NODE_OPTIONS\): changed since you trusted it/);
    expect(stderr).toMatch(/go\.md: its commands do not run .*\(go\.sh: edited\)/);
  });

  it('a changed slash command runs nothing', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    const write = (command: string) =>
      project.write('.claude/commands/go.md', `---\nallowed-tools: Bash(touch *)\n---\nDo !\`${command}\``);
    write('touch go-ran');
    expect((await project.run(['trust', '--yes'])).stdout).toMatch(
      /Slash commands and skills\n {2}\/go\n {4}│ allowed-tools: Bash\(touch \*\)\n {4}│ !`touch go-ran`/,
    );
    await project.run(['-p', '/go']);
    expect(existsSync(path.join(project.dir, 'go-ran'))).toBe(true);
    write('touch evil-ran');
    const { stderr } = await project.run(['-p', '/go']);
    expect(existsSync(path.join(project.dir, 'evil-ran'))).toBe(false);
    expect(stderr).toMatch(/go\.md: its commands do not run and it grants no tools: changed since you trusted it/);
  });
});

describe.concurrent('checks', { timeout: 60_000 }, () => {
  const CONFIG = { checks: [{ name: 'tests', command: 'sh check.sh' }] };
  const ended = async (project: TestProject) => {
    const { lines, stderr } = await project.run(['-p', 'x', '--output-format', 'json', '--require-proof']);
    return { checks: lines.at(-1).checks, stderr };
  };

  const CHANGED: readonly (readonly [string, (project: TestProject) => void])[] = [
    ['a script', (project) => project.write('check.sh', 'exit 0 # edited\n')],
    [
      'a command',
      (project) =>
        project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'tests', command: 'true' }] })),
    ],
    [
      'the list of checks',
      (project) =>
        project.write('stopgate.config.json', JSON.stringify({ checks: [...CONFIG.checks, { command: 'x' }] })),
    ],
  ];
  it.each(sampleOf(CHANGED, ([what]) => what !== 'the list of checks'))(
    'of which %s changed do not run, and do not pass',
    async (_what, change) => {
      await using project = await testProject(() => ({ text: 'done' }));
      project.write('stopgate.config.json', JSON.stringify(CONFIG));
      project.write('check.sh', 'touch checked\n');
      expect((await project.run(['trust', '--yes'])).stdout).toContain(
        'Files that these run\n  check.sh (14 bytes), run by the check tests\n',
      );
      expect((await ended(project)).checks.type).toBe('passed');
      rmSync(path.join(project.dir, 'checked'));
      change(project);
      const { checks, stderr } = await ended(project);
      expect(checks).toMatchObject({ type: 'skipped', why: 'changedSinceTrusted' });
      expect(stderr).toMatch(
        /Checks not run at the stop \(tests.*: changed since you trusted it: run `stopgate trust`/,
      );
      expect(existsSync(path.join(project.dir, 'checked'))).toBe(false);
      const input = JSON.stringify({ session_id: 's', cwd: project.dir, hook_event_name: 'Stop' });
      const host = await project.run(['hook', 'stop'], { input });
      expect(host.stdout).toContain('were not run: changed since you trusted it');
    },
  );

  it('that were approved at the start of a session decide, although the agent edits their script', async () => {
    await using project = await testProject();
    git(project, 'init', '--quiet');
    project.write('stopgate.config.json', JSON.stringify(CONFIG));
    project.write('check.sh', 'echo broken; exit 1\n');
    await project.run(['trust', '--yes']);
    const ask = (event: string, name: string) =>
      project.run(['hook', event], {
        input: JSON.stringify({ session_id: 's', cwd: project.dir, hook_event_name: name }),
      });
    await ask('session-start', 'SessionStart');
    project.write('check.sh', 'exit 0\n');
    expect((await ask('stop', 'Stop')).lines[0]).toMatchObject({ decision: 'block' });
  });

  it('may have scripts that agents edit', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    project.write('stopgate.config.json', JSON.stringify({ ...CONFIG, editable: ['check.sh'] }));
    project.write('check.sh', 'true\n');
    await project.run(['trust', '--yes']);
    project.write('check.sh', 'true # more\n');
    expect((await ended(project)).checks.type).toBe('passed');
  });
});

describe.concurrent('branches', { timeout: 60_000 }, () => {
  it('that were approved once need no second approval, and anything else does', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    git(project, 'init', '--quiet', '-b', 'main');
    await approve(project, STOP, { 'hooks/stop.sh': RAN });
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'main');
    git(project, 'checkout', '-qb', 'other');
    project.write('hooks/stop.sh', `${RAN}: other\n`);
    git(project, 'commit', '-qam', 'other');
    expect((await session(project)).ran).toEqual(['other-ran']);
    await project.run(['trust', '--yes']);
    expect((await session(project)).ran).toEqual(BOTH);
    git(project, 'checkout', '-q', 'main');
    expect(await session(project)).toMatchObject({ ran: BOTH, stderr: '' });
    expect(JSON.parse((await project.run(['trust', '--json'])).stdout)).toMatchObject({ already: true });
    git(project, 'checkout', '-q', 'other');
    expect((await session(project)).ran).toEqual(BOTH);
    const { stdout } = await project.run(['trust', '--list']);
    expect(stdout).toMatch(/ \(current\)\n {4}\S+ \S+ {2}\d entries, 1 file.*\n {4}\S+ \S+ {2}\d entries, 1 file.*\n$/);
    expect(stdout.match(/as the folder is now/g)).toHaveLength(1);
    // a difference is taken to the nearest approval
    git(project, 'checkout', '-q', 'main');
    project.write('hooks/stop.sh', `${RAN}: third\n`);
    expect((await session(project)).ran).toEqual(['other-ran']);
    const changed = await project.run(['trust']);
    expect(changed.stdout).toContain('    +: third');
    const [{ approvals }] = JSON.parse((await project.run(['trust', '--list', '--json'])).stdout);
    expect(approvals).toMatchObject([{ isCurrent: false }, { isCurrent: false }]);
    expect((await project.run(['trust', '--remove'])).stdout).toBe(
      `${project.dir} is no longer trusted; 2 approvals were removed.\n`,
    );
    git(project, 'checkout', '-q', '--force', 'other');
    expect((await session(project)).ran).toEqual([]);
  });
});

it('an earlier approval without checks does not hide that the approved ones are gone', async () => {
  await using project = await testProject();
  await project.run(['trust', '--yes']);
  project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"true"}]}');
  await project.run(['trust', '--yes']);
  rmSync(path.join(project.dir, 'stopgate.config.json'));
  const { code, stdout } = await project.run(['trust']);
  expect(code).toBe(2);
  expect(stdout).toContain('Definition of done removed');
  expect((await project.run(['trust', '--list'])).stdout).toContain('(changed: ');
  await project.run(['trust', '--yes']);
  expect((await project.run(['trust', '--list'])).stdout).toContain('(current)');
});

describe.concurrent('the view of trust', { timeout: 60_000 }, () => {
  const command = (name: string) => ({ type: 'command', command: `touch ${name}` });

  it.each<[string, unknown]>([
    ['by event', { Stop: [{ hooks: [command('a')] }], PreToolUse: [{ matcher: 'Bash', hooks: [command('b')] }] }],
    [
      'a list',
      [
        { event: 'Stop', ...command('a') },
        { event: 'PreToolUse', matcher: 'Bash', hooks: [command('b')] },
      ],
    ],
  ])('lists exactly what the engine runs, hooks %s (gemini#27901)', async (_shape, hooks) => {
    await using project = await testProject();
    project.write('.claude/settings.json', JSON.stringify({ hooks }));
    project.write(
      '.claude/agents/x.md',
      '---\nname: x\nhooks:\n  Stop:\n    - type: command\n      command: touch c\n---\nX',
    );
    const shown = JSON.parse((await project.run(['trust', '--yes', '--json'])).stdout);
    const runs = JSON.parse((await project.run(['hooks', 'list', '--json'])).stdout);
    const names = (list: { event: string; label: string; state?: string }[]) =>
      list
        .filter(({ state = 'runs' }) => state === 'runs')
        .map(({ event, label }) => `${event} ${label}`)
        .sort();
    expect(names(shown.switchesOn.hooks)).toEqual(names(runs.hooks));
    expect(names(runs.hooks)).toHaveLength(4);
  });

  it('leaves out what git ignores, and names the files behind every command', async () => {
    await using project = await testProject();
    git(project, 'init', '--quiet');
    project.write('.gitignore', 'dist\n');
    project.write('node_modules/.bin/lint', 'x');
    await approve(project, './node_modules/.bin/lint && sh dist/built.sh && sh hooks/stop.sh', {
      'dist/built.sh': 'x\n',
      'hooks/stop.sh': RAN,
    });
    const { switchesOn } = JSON.parse((await project.run(['trust', '--json'])).stdout);
    expect(switchesOn.files).toMatchObject([{ is: 'file', path: 'hooks/stop.sh' }]);
    expect(switchesOn.problems).toEqual([
      'Ignored by git, so not part of the approval, and run as they are: node_modules/.bin/lint, dist/built.sh.',
    ]);
  });
});

describe.concurrent('a record of an older version', { timeout: 60_000 }, () => {
  it('approved no content: nothing runs, one sentence says so, and trust shows everything again', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    project.write('.claude/settings.json', settings('touch stop-ran'));
    const folder = path.join(project.home, '.stopgate/trust');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = createHash('sha256').update(project.dir).digest('hex').slice(0, 32);
    writeFileSync(
      path.join(folder, `${name}.json`),
      JSON.stringify({ folder: project.dir, trustedAt: '2026-01-01T00:00:00Z' }),
    );
    const { ran, stderr } = await session(project);
    expect(ran).toEqual([]);
    expect(stderr).toContain('was trusted before Stopgate recorded what was approved');
    expect((await project.run(['trust', '--list'])).stdout).toContain('trusted before contents were recorded');
    const { stdout } = await project.run(['trust', '--yes']);
    expect(stdout).toMatch(/^This folder was trusted before[\s\S]*Trusting this folder enables:/);
    expect(await session(project)).toMatchObject({ ran: BOTH, stderr: '' });
  });
});

describe.concurrent('a definition of done that was approved', () => {
  const CHECKS = [
    { name: 't', command: 'false' },
    { name: 'l', command: 'true' },
  ];
  const write = (project: TestProject, value: unknown) => project.write('stopgate.config.json', JSON.stringify(value));
  async function approved(changed: unknown) {
    const project = await testProject(() => ({ text: 'Done.' }));
    git(project, 'init', '-q');
    write(project, { checks: CHECKS });
    expect((await project.run(['trust', '--yes'])).code).toBe(0);
    if (changed === null) rmSync(path.join(project.dir, 'stopgate.config.json'));
    else write(project, changed);
    const end = await project.run(['-p', 'x', '--require-proof', '--allowedTools', 'Edit']);
    return { project, ...end };
  }

  const FIELDS: readonly (readonly [string, object])[] = [
    ['severity', { severity: 'warn' }],
    ['baseline', { baseline: 'session' }],
    ['report', { report: { format: 'tap' } }],
  ];
  it.each(sampleOf(FIELDS, ([field]) => field === 'severity'))(
    'is off when a check gets another %s',
    async (_field, more) => {
      const { project, code, stderr } = await approved({ checks: [{ ...CHECKS[0], ...more }, CHECKS[1]] });
      await using _ = project;
      expect(stderr).toContain('Checks not run at the stop');
      expect(code).toBe(123);
      expect((await project.run(['trust', '--list'])).stdout).toContain('changed');
    },
  );

  const EMPTIED: readonly (readonly [string, object | null])[] = [
    ['empty', {}],
    ['without checks', { checks: [] }],
    ['deleted', null],
  ];
  it.each(sampleOf(EMPTIED, ([how]) => how !== 'empty'))('is missed when it is %s', async (_how, changed) => {
    const { project, stderr, code } = await approved(changed);
    await using _ = project;
    expect(stderr).toContain('are gone (stopgate.config.json was deleted or has none); restore it, or run');
    expect(code).toBe(123);
    // approved as it is now
    expect((await project.run(['trust', '--yes'])).code).toBe(0);
    expect((await project.run(['-p', 'x'])).stderr).not.toContain('are gone');
  });
});
