import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../system/clock.ts';
import { callTool, freeDirectory, testToolContext } from '../../testing/toolContext.ts';
import type { ToolContext } from '../toolContext.ts';
import { bashTool } from './bash.ts';

async function run(command: string, context: ToolContext, more: object = {}) {
  return (await callTool(bashTool, { command, ...more }, context)).outcome;
}

async function failure(command: string, context: ToolContext, more: object = {}): Promise<string> {
  const outcome = await run(command, context, more);
  return outcome.type === 'failed' ? outcome.message : expect.unreachable(JSON.stringify(outcome));
}

async function content(command: string, context: ToolContext, more: object = {}): Promise<string> {
  const outcome = await run(command, context, more);
  if (outcome.type !== 'done') return expect.unreachable(outcome.message);
  return outcome.content as string;
}

/** A context whose temp files go into a folder of its own, so that what is left there is ours. */
async function contextWithTemp(overrides: Partial<ToolContext> = {}) {
  const cleanups = new Set<() => Promise<void> | void>();
  const registerCleanup: ToolContext['registerCleanup'] = (_name, cleanUp) => {
    cleanups.add(cleanUp);
    return () => cleanups.delete(cleanUp);
  };
  const context = await testToolContext({ registerCleanup, ...overrides });
  const temp = join(context.directory.projectDir, 'temp');
  await mkdir(temp);
  /** What is there when the turn is over. */
  const leftBehind = async () => {
    for (const cleanUp of cleanups) await cleanUp();
    cleanups.clear();
    return await readdir(temp);
  };
  return { ...context, env: { ...context.env, TMPDIR: temp }, temp, leftBehind };
}

describe('the folder of a command', () => {
  const folder = 'echo $TMPDIR/stopgate-bash-*';

  it('serves the next command of the turn, empty, and is gone after the turn', async () => {
    await using context = await contextWithTemp();
    const first = await content(folder, context);
    await writeFile(join(first, 'directory'), '/');
    expect(await content(`cd temp; ${folder}; cat $TMPDIR/stopgate-bash-*/directory 2>&1 | tail -c 5`, context)).toBe(
      `${first}\ntory`,
    );
    expect(context.directory.current()).toBe(context.temp);
    expect(await context.leftBehind()).toEqual([]);
    expect(await content(folder, context)).not.toBe(first);
    await context.leftBehind();
  });

  it('is its own while another command runs', async () => {
    await using context = await contextWithTemp();
    const both = await Promise.all([
      content(`sleep 0.2; ${folder}`, context),
      content(`sleep 0.2; ${folder}`, context),
    ]);
    expect(new Set(both.flatMap((line) => line.split(' '))).size).toBe(2);
    expect(await context.leftBehind()).toEqual([]);
  });

  it('is another one when it was replaced by a link', async () => {
    await using context = await contextWithTemp();
    const first = await content(folder, context);
    await rm(first, { recursive: true });
    await symlink(context.directory.projectDir, first);
    await content('cd temp', context);
    expect(context.directory.current()).toBe(context.temp);
    expect(await readdir(context.directory.projectDir)).not.toContain('directory');
  });

  it('is removed after each command of a subagent, which may outlive the turn', async () => {
    await using context = await contextWithTemp({ agentId: 'a1' });
    await content('true', context);
    expect(await readdir(context.temp)).toEqual([]);
  });
});

describe('the outcome of a command', () => {
  it('is what it printed', async () => {
    await using context = await testToolContext();
    expect(await run('echo hi', context)).toEqual({
      type: 'done',
      output: { stdout: 'hi', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
      content: 'hi',
    });
    expect(await content('echo out; echo err >&2', context)).toBe('out\nerr');
    expect(await run('mkdir a', context)).toMatchObject({
      content: '(Bash completed with no output)',
      output: { noOutputExpected: true },
    });
  });

  it('is in the order in which it was written, whichever stream it was written to', async () => {
    await using context = await testToolContext();
    const turns = 'for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done';
    const expected = [1, 2, 3, 4, 5].map((turn) => `out ${turn}\nerr ${turn}`).join('\n');
    expect(await content(turns, context)).toBe(expected);
    expect(await failure(`${turns}; exit 1`, context)).toBe(`Exit code 1\n${expected}`);
  });

  it.each([
    ['a quote', `echo "it's" 'a "b"'`, `it's a "b"`],
    ['several lines', 'if true\nthen echo yes\nfi', 'yes'],
    ['a here document', 'cat <<EOF\na $((1+1))\nEOF', 'a 2'],
    ['a comment at its end', 'echo a # comment', 'a'],
    ['a bashism', '[[ abc == a* ]] && echo yes', 'yes'],
    ['an empty stdin', 'cat; echo done', 'done'],
  ])('runs a command with %s', async (_name, command, expected) => {
    await using context = await testToolContext();
    expect(await content(command, context)).toBe(expected);
  });

  it('fails with the exit code and both streams', async () => {
    await using context = await testToolContext();
    expect(await failure('echo out; echo err >&2; exit 3', context)).toBe('Exit code 3\nout\nerr');
    expect(await failure('if ;', context)).toMatch(/^Exit code [12]\n.*syntax error/);
  });

  it('distinguishes a signal from an exit', async () => {
    await using context = await testToolContext();
    expect(await failure('kill -KILL $$', context)).toBe('The command was killed by SIGKILL.');
  });

  it('times out with a message and its output when background tasks are disabled', async () => {
    await using plain = await testToolContext();
    const context = { ...plain, env: { ...plain.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } };
    const message = await failure('echo started; sleep 60', context, { timeout: 400 });
    expect(message).toMatch(/^Exit code 143\nCommand timed out after 400ms/);
    expect(message).toMatch(/\nstarted$/);
  });

  it('gets its default and longest time from the environment', async () => {
    await using plain = await testToolContext();
    const env = { ...plain.env, BASH_DEFAULT_TIMEOUT_MS: '100', BASH_MAX_TIMEOUT_MS: '200' };
    expect(await failure('sleep 60', { ...plain, env })).toContain('after 100ms');
    expect(await failure('sleep 60', { ...plain, env }, { timeout: 50_000 })).toContain('after 200ms');
  });

  it('cuts long output in the middle and reports how much', async () => {
    await using plain = await testToolContext();
    const context = { ...plain, env: { ...plain.env, BASH_MAX_OUTPUT_LENGTH: '100' } };
    const text = await content('seq 1 100', context);
    expect(text).toMatch(/^1\n2\n.*was left out.*99\n100\n/s);
    expect(text).toContain('longer than 100 characters: 191 characters in the middle were left out');
    const long = await content('seq 1 1000000', context);
    expect(long).toMatch(/about 6,888,\d{3} characters in the middle/);
    expect(long).not.toContain('bytes were left out');
    expect(long.length).toBeLessThan(500);
  });

  it('is interrupted by an abort and leaves no process', async () => {
    const abort = new AbortController();
    const clock: Clock = { now: Date.now, sleep: () => new Promise((resolve) => setImmediate(resolve)) };
    await using context = await contextWithTemp({ signal: abort.signal, clock });
    const call = bashTool.call({ command: 'sleep 300 & echo $! > child; echo started; wait' }, context);
    let shown: unknown;
    do shown = (await call.next()).value;
    while (!JSON.stringify(shown).includes('started'));
    expect(shown).toMatchObject({ type: 'progress', data: { type: 'bash_progress', output: 'started\n' } });
    const child = Number(readFileSync(join(context.directory.current(), 'child'), 'utf8'));
    abort.abort();
    const message = 'The command was interrupted and stopped.\nstarted';
    expect(await lastOf(call)).toEqual({ type: 'failed', interrupted: true, message });
    await expect.poll(() => isRunning(child)).toBe(false);
    expect(await context.leftBehind()).toEqual([]);
  });

  it('is stopped when its caller stops listening', async () => {
    const clock: Clock = { now: Date.now, sleep: () => new Promise((resolve) => setImmediate(resolve)) };
    await using context = await contextWithTemp({ clock });
    const command = 'echo $$ > child; sleep 300';
    const child = () => Number(readFileSync(join(context.directory.projectDir, 'child'), 'utf8'));
    for await (const _progress of bashTool.call({ command }, context)) {
      if (existsSync(join(context.directory.projectDir, 'child')) && child() > 0) break;
    }
    expect(isRunning(child())).toBe(false);
    expect(await context.leftBehind()).toEqual([]);
  });

  it('runs without a place for temp files', async () => {
    await using context = await testToolContext();
    expect(await content('echo hi', { ...context, env: { ...context.env, TMPDIR: '/no/such' } })).toBe('hi');
  });
});

async function lastOf(call: ReturnType<typeof bashTool.call>) {
  for (;;) {
    const step = await call.next();
    if (step.done) return step.value;
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the working directory', () => {
  it.each([
    ['cd', 'cd sub', 'sub'],
    ['cd before an exit', 'cd sub; exit 3', 'sub'],
    ['cd before a failure under -e', 'set -e; cd sub; false', 'sub'],
    ['cd into a name with quotes', `mkdir "it's \\"x\\""; cd "it's \\"x\\""`, `it's "x"`],
    ['not cd in a subshell', '(cd sub)', ''],
    ['not a command that takes its place', 'cd sub; exec true', ''],
  ])('follows %s', async (_name, command, expected) => {
    await using context = await contextWithTemp();
    const root = context.directory.projectDir;
    await mkdir(join(root, 'sub'));
    await run(command, context);
    expect(context.directory.current()).toBe(join(root, expected));
    expect(await content('pwd', context)).toBe(join(root, expected));
    expect(await context.leftBehind()).toEqual([]);
  });

  it('keeps the name of a project that is reached through a link', async () => {
    await using context = await testToolContext();
    const { projectDir } = context.directory;
    await mkdir(join(projectDir, 'real/sub'), { recursive: true });
    await symlink('real', join(projectDir, 'link'));
    const moves: string[] = [];
    const free = freeDirectory(join(projectDir, 'link'));
    const directory = { ...free, moveTo: (to: string) => void moves.push(to) };
    await run('true', { ...context, directory });
    expect(moves).toEqual([]);
    await run('cd sub', { ...context, directory });
    await run('cd ../..', { ...context, directory });
    expect(moves).toEqual([join(projectDir, 'link/sub'), join(projectDir, '..')]);
  });

  it('falls back to the project when it was deleted, and reports it', async () => {
    await using context = await testToolContext();
    const root = context.directory.projectDir;
    await run('mkdir gone; cd gone', context);
    await rm(join(root, 'gone'), { recursive: true });
    const note = `The working directory ${root}/gone no longer exists: the command ran in ${root}.`;
    expect(await content('pwd', context)).toBe(`${root}\n${note}`);
    expect(await content('pwd', context)).toBe(root);
  });

  it('reports when it was reset', async () => {
    await using context = await testToolContext();
    const { projectDir } = context.directory;
    await mkdir(join(projectDir, 'project/sub'), { recursive: true });
    await mkdir(join(projectDir, 'other/deep'), { recursive: true });
    await symlink('other', join(projectDir, 'link'));
    const project = join(projectDir, 'project');
    const workingFolders = [project, join(projectDir, 'link')];
    const held = { ...context, directory: freeDirectory(project), workingFolders };
    await run('cd sub', held);
    expect(await run('cd /; pwd', held)).toMatchObject({
      content: `/\nShell cwd was reset to ${project}`,
      output: { stdout: '/', stderr: `\nShell cwd was reset to ${project}` },
    });
    expect(await content('pwd', held)).toBe(project);
    expect(await content('cd ..', held)).toBe(`Shell cwd was reset to ${project}`);
    await run('cd ../other/deep', held);
    expect(await content('pwd', held)).toBe(join(projectDir, 'other/deep'));
  });

  it('is a sentence when even the project is gone', async () => {
    await using context = await testToolContext();
    const directory = freeDirectory('/no/such/project');
    expect(await failure('pwd', { ...context, directory })).toContain('the directory /no/such/project does not exist.');
  });
});

describe('in the background', () => {
  it('returns immediately with an id', async () => {
    await using context = await testToolContext();
    const outcome = await run('sleep 60', context, { run_in_background: true, description: 'Wait' });
    expect(outcome).toMatchObject({ type: 'done', output: { backgroundTaskId: 'bash_1', stdout: '' } });
    expect(context.shells.list()).toMatchObject([{ id: 'bash_1', description: 'Wait', status: 'running' }]);
  });
});

describe('what rules see', () => {
  it.each([
    [{ command: 'ls' }, true],
    [{ command: 'rm x' }, false],
    [{ command: 'ls', run_in_background: true }, false],
  ])('%j is read-only: %s', (input, expected) => {
    expect(bashTool.isReadOnly(input)).toBe(expected);
  });

  it('is the command', async () => {
    await using context = await testToolContext();
    expect(bashTool.permission({ command: 'rm x' }, context)).toEqual({ type: 'command', command: 'rm x' });
  });
});
