import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../../src/testing/modelServer.ts';
import { COMPILED_CODE } from '../support/compiledCode.ts';
import { BIN, type TestProject, testProject } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';
import { type TrapRepository, trapRepository } from '../support/trapRepository.ts';

/** Every command that looks at a folder, as a user types it before anything is trusted. */
const COMMANDS: readonly (readonly string[])[] = [
  ['-p', 'hello', '--max-turns', '1'],
  ['init', '--yes'],
  ['hooks', 'list'],
  ['hooks', 'explain', 'Stop'],
  ['status'],
  ['list'],
  ['launch', '--time-budget', '1m', '--agent', 'true', '--', 'x'],
  ['launch', '--time-budget', '1m', '--agent', 'true', '--worktree', '--', 'x'],
  ['launch', '--time-budget', '1m', '--agent', 'true', '--commit', 'branch', '--', 'x'],
  ['launch', '--time-budget', '1m', '--', 'x'],
  ['restore'],
  ['remove'],
  ['task', 'list'],
];

/** With a model that answers, so that a turn goes through all of its steps. */
async function run(repository: TrapRepository, args: readonly string[]) {
  const PATH = ['bin', '.', path.join(repository.path, 'bin'), repository.env.PATH].join(':');
  const server = await startModelServer(() => ({ text: 'fine' }));
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: repository.path,
    env: { ...repository.env, ...COMPILED_CODE, PATH, ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: server.url },
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {}).end();
  const [stderr, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  await server.close();
  return { code, signal, stderr, requests: server.seen.length };
}

/** They leave the repository as it is, so that the traps are all there for the next one, too. */
const isReading = ([command]: readonly string[]) => command !== 'launch' && command !== 'init';

describe('a repository full of traps', { timeout: 300_000 }, () => {
  it.runIf(!IS_LONG)('springs none for the commands that only read it', async () => {
    await using repository = await trapRepository();
    for (const args of COMMANDS.filter(isReading)) {
      const { signal } = await run(repository, args);
      expect([args.join(' '), signal, repository.sprung()]).toEqual([args.join(' '), null, []]);
    }
  });

  it.each(sampleOf(COMMANDS, (args) => !isReading(args)).map((args) => [args.join(' '), args] as const))(
    'springs none for stopgate %s',
    async (_name, args) => {
      await using repository = await trapRepository();
      const { signal } = await run(repository, args);
      expect([signal, repository.sprung()]).toEqual([null, []]);
    },
  );

  it('springs none in a turn, which the model answers', async () => {
    await using repository = await trapRepository();
    expect(await run(repository, ['-p', 'hello'])).toMatchObject({ code: 0, requests: 1 });
    expect(repository.sprung()).toEqual([]);
  });

  it('springs none when kept work is restored', async () => {
    await using repository = await trapRepository();
    const { stderr } = await run(repository, ['launch', '--time-budget', '1m', '--agent', 'touch', '--', 'new.trap']);
    const [, id] = /stopgate restore (\S+)/.exec(stderr) ?? [];
    expect(id).toBeDefined();
    execFileSync(
      'git',
      ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'rm', '-q', '--cached', 'kept.txt'],
      {
        cwd: repository.path,
        env: repository.env,
      },
    );
    repository.sprung();
    await run(repository, ['restore', id ?? '']);
    expect(repository.sprung()).toEqual([]);
  });
});

const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('names that are escape sequences', { timeout: 120_000 }, () => {
  it('are printed by no command as they are', async () => {
    await using project = await testProject(() => ({ text: 'fine' }));
    hostileNames(project);
    // what a launch prints of a repository is the same in a worktree and of an agent that is not there
    for (const args of sampleOf(COMMANDS, ([command, ...rest]) => command !== 'launch' || rest.includes('branch'))) {
      const { stdout, stderr } = await project.run(args, { input: '' });
      expect([args.join(' '), CONTROL.exec(stdout + stderr)?.[0]]).toEqual([args.join(' '), undefined]);
    }
  });
});

function hostileNames(project: TestProject): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: project.dir,
      env: { PATH: process.env.PATH, HOME: project.home },
      stdio: 'ignore',
    });
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', `subject ${EVIL}`);
  git('checkout', '--quiet', '-b', 'x\u009b31m\u202e');
  mkdirSync(path.join(project.dir, '.claude/agents'), { recursive: true });
  writeFileSync(path.join(project.dir, `file ${EVIL}`), 'x');
  const hook = { hooks: [{ type: 'command', command: `echo ${EVIL}` }] };
  const settings = {
    [`key${EVIL}`]: 1,
    permissions: { allow: [`Bash(${EVIL}`], deny: [`Tool${EVIL}(`], defaultMode: EVIL },
    hooks: { [`Stop${EVIL}`]: [hook], Stop: [hook, { matcher: EVIL, hooks: [{ type: EVIL }] }] },
    env: { [EVIL]: EVIL },
    model: EVIL,
  };
  project.write('.claude/settings.json', JSON.stringify(settings));
  project.write('CLAUDE.md', `@missing${EVIL}.md\n`);
  project.write('.claude/agents/a.md', `---\nname: [${EVIL}\n---\nx`);
  project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: EVIL, command: EVIL, [EVIL]: 1 }] }));
  project.write('.mcp.json', JSON.stringify({ mcpServers: { [EVIL]: { command: EVIL } } }));
  project.write('package.json', JSON.stringify({ scripts: { test: EVIL } }));
}
