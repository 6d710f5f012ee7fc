import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN, type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const ENV = { STOPGATE_TRUST_PROJECT: '1' };
const event = (project: TestProject, hook_event_name: string, more: object = {}) =>
  JSON.stringify({ session_id: 's', prompt_id: 'p', cwd: project.dir, hook_event_name, ...more });

/** A session of a host in a folder whose check does this to the process that runs it. */
async function session(command: string) {
  const project = await testProject();
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'test', command, when: 'always' }] }));
  const hook = (name: string, more: object, words: string) =>
    project.run(['hook', name], { input: event(project, words, more), env: ENV });
  const start = (more: object = {}) => hook('session-start', { source: 'startup', ...more }, 'SessionStart');
  const stop = (more: object = {}) => hook('stop', more, 'Stop');
  await start();
  return { project, start, stop };
}

describe.concurrent('code under test that ends the stop hook', () => {
  it('does not open the gate by SIGTERM, and cannot hold it forever', async () => {
    const { project, stop } = await session('kill -TERM $PPID; sleep 5');
    await using _ = project;
    for (let times = 1; times <= 3; times++) {
      const { lines } = await stop({ stop_hook_active: times > 1 });
      expect(lines[0]?.reason, `stop ${times}`).toMatch(
        /^Not proven yet: the checks gave no verdict \(a process ended/,
      );
    }
    const { lines, stderr } = await stop({ stop_hook_active: true });
    expect(lines[0]?.decision).toBeUndefined();
    expect(stderr).toContain('no verdict 4 times in a row, so it may stop now; nothing is proven.');
  });

  it('is known at the next event after SIGKILL', async () => {
    const { project, start, stop } = await session('[ -e fixed ] || kill -KILL $PPID');
    await using _ = project;
    const killed = await stop();
    expect([killed.signal ?? killed.code, killed.stdout]).toEqual(['SIGKILL', '']);
    const { stdout } = await project.run(['status']);
    expect(stdout).toMatch(/! error +error \(the stop check was killed before it gave a verdict\)/);
    const resumed = await start({ source: 'resume' });
    expect(resumed.stderr).toContain('at the last stop of this session the stop check was killed before it gave a');
    project.write('fixed', '');
    const { lines, stderr } = await stop();
    expect(lines[0]?.decision).toBeUndefined();
    expect(stderr).toContain('at the last stop of this session the stop check was killed');
    // and only once
    expect((await stop()).stderr).toBe('');
    const { gate } = JSON.parse((await project.run(['status', '--json'])).stdout);
    expect(gate.sessions[0].stops.map(({ ending }: { ending: { type: string } }) => ending.type)).toEqual([
      'passed',
      'passed',
      'error',
    ]);
  });
});

describe.concurrent('an agent that removes the folder in which its host runs, and makes it again', () => {
  const HOSTS: readonly (readonly string[])[] = [[], ['--host', 'codex'], ['--host', 'qwen']];
  it.each(sampleOf(HOSTS, (words) => !words.includes('qwen')))('is held as before: %s %s', async (...words) => {
    const { project, start } = await session('false');
    await using _ = project;
    await start();
    const hook = [process.execPath, BIN, 'hook', 'stop', ...words].map((word) => `'${word}'`).join(' ');
    const stop = execFileSync('sh', ['-c', `mkdir sub; cd sub; rmdir ../sub; ${hook}`], {
      cwd: project.dir,
      env: { PATH: process.env.PATH, HOME: project.home, ...ENV },
      input: event(project, 'Stop'),
    });
    expect(JSON.parse(String(stop)).decision).toBe('block');
  });
});

it('a definition of done that is a link into nothing is reported at a stop', async () => {
  await using project = await testProject();
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  symlinkSync('none.json', path.join(project.dir, 'stopgate.config.json'));
  await project.run(['hook', 'session-start'], { input: event(project, 'SessionStart'), env: ENV });
  const { lines } = await project.run(['hook', 'stop'], { input: event(project, 'Stop'), env: ENV });
  expect(lines[0]?.systemMessage).toMatch(/stopgate\.config\.json cannot be read \(ENOENT\); no check was run\.$/);
});

describe.concurrent('subagents in the background', () => {
  const task = { id: 'a1', type: 'subagent', status: 'running', description: 'look' };

  it('defer a stop once: one that never ends does not switch the checks off', async () => {
    const { project, stop } = await session('exit 1');
    await using _ = project;
    const deferred = await stop({ background_tasks: [task] });
    expect(deferred).toMatchObject({ code: 0, stdout: '' });
    // another one is running: the first may have ended
    expect((await stop({ background_tasks: [{ ...task, id: 'a2' }] })).stdout).toBe('');
    const { lines, stderr } = await stop({ background_tasks: [{ ...task, id: 'a2' }] });
    expect(lines[0]?.decision).toBe('block');
    expect(stderr).toContain(
      'background work (a2) did not end since the last stop, so this stop was checked beside it',
    );
  });

  it('are not waited for where the process of a listed command is gone', async () => {
    const { project, stop } = await session('exit 1');
    await using _ = project;
    const gone = { ...task, type: 'shell', command: 'sleep 4712' };
    const { lines } = await stop({ background_tasks: [gone] });
    expect(lines[0]?.decision).toBe('block');
  });
});
