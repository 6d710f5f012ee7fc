import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type TestProject, testProject } from '../support/project.ts';

const TRUSTED = { STOPGATE_TRUST_PROJECT: '1' };

async function checkedProject(check: string, more: object = {}): Promise<TestProject> {
  const project = await testProject();
  const checks = [{ name: 'slow', command: ['sh', '-c', check] }];
  project.write('stopgate.config.json', JSON.stringify({ checks, ...more }));
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  return project;
}

const session = 'a-session';
const eventOf = (project: TestProject, event: string) =>
  JSON.stringify({ session_id: session, cwd: project.dir, hook_event_name: event, transcript_path: project.dir });

/** A hook with a second for its answer, of which whole checks may take a minute. */
async function stop(project: TestProject) {
  const { stdout, stderr } = await project.run(['hook', 'stop', '--timeout', '6', '--whole', '60', '--host', 'qwen'], {
    input: eventOf(project, 'Stop'),
    env: TRUSTED,
  });
  return { reason: stdout === '' ? null : JSON.parse(stdout).reason, stderr };
}

/** As often as it takes on a slow machine. */
async function verdict(project: TestProject): Promise<string | null> {
  for (let stops = 0; stops < 20; stops++) {
    const { reason } = await stop(project);
    if (!reason?.startsWith('Still checking: ')) return reason;
  }
  throw new Error('the checks gave no verdict in 20 stops');
}

/** Runs until the test writes `go`; counts its runs. */
const UNTIL_GO = 'cd; echo run >> runs; until [ -e go ]; do sleep 0.05; done; cd - > /dev/null';

const go = (project: TestProject) => writeFileSync(path.join(project.home, 'go'), '');

const runsOf = (project: TestProject) =>
  execFileSync('cat', [path.join(project.home, 'runs')], { encoding: 'utf8' })
    .trim()
    .split('\n').length;

it('lets several stops wait for one run of the checks', { timeout: 30_000 }, async () => {
  await using project = await checkedProject(`${UNTIL_GO}; [ -e done.txt ]`);
  await project.run(['hook', 'session-start'], { input: eventOf(project, 'SessionStart'), env: TRUSTED });
  project.write('work.txt', '1');
  expect((await stop(project)).reason).toMatch(/^Still checking: .*stop again/);
  do expect((await stop(project)).reason).toMatch(/^Still checking: /);
  while (!existsSync(path.join(project.home, 'runs')));
  expect(runsOf(project)).toBe(1);
  go(project);
  expect(await verdict(project)).toMatch(/^Not done yet: 1 of 1 check failed/);
  // no refusal without a verdict counted as an attempt
  project.write('done.txt', '');
  expect(await verdict(project)).toBe(null);
  expect(runsOf(project)).toBe(2);
});

it('runs the checks again for files that changed between the stops', { timeout: 30_000 }, async () => {
  await using project = await checkedProject(`seen=$(cat work.txt); ${UNTIL_GO}; [ "$seen" = good ]`);
  await project.run(['hook', 'session-start'], { input: eventOf(project, 'SessionStart'), env: TRUSTED });
  project.write('work.txt', 'good');
  // the check has read the file once it counts its run
  do expect((await stop(project)).reason).toMatch(/^Still checking: /);
  while (!existsSync(path.join(project.home, 'runs')));
  project.write('work.txt', 'bad');
  go(project);
  expect(await verdict(project)).toMatch(/^Not done yet: 1 of 1 check failed/);
  expect(runsOf(project)).toBe(2);
});

it('has no verdict when the process that checks is ended', { timeout: 30_000 }, async () => {
  await using project = await checkedProject(UNTIL_GO);
  await project.run(['hook', 'session-start'], { input: eventOf(project, 'SessionStart'), env: TRUSTED });
  project.write('work.txt', '1');
  expect((await stop(project)).reason).toMatch(/^Still checking: /);
  for (const pid of carriersOf(project)) process.kill(pid, 'SIGTERM');
  const { reason } = await stop(project);
  expect(reason).toMatch(/^(?:Not proven yet|Still checking)/);
  go(project);
  expect(await verdict(project)).toBe(null);
});

/** The processes of this program that run the checks of a project. */
function carriersOf(project: TestProject): number[] {
  const list = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return list
    .filter((line) => line.includes('carry-checks') && line.includes(project.home))
    .map((line) => Number.parseInt(line, 10));
}

it('lets a host stop that repeats its stop without a request', { timeout: 30_000 }, async () => {
  await using project = await checkedProject('exit 1', { stallAfter: 10 });
  const transcript = path.join(project.home, 'transcript.jsonl');
  const grow = () => execFileSync('sh', ['-c', `echo '{}' >> '${transcript}'`]);
  const event = (name: string) =>
    JSON.stringify({ session_id: session, cwd: project.dir, hook_event_name: name, transcript_path: transcript });
  const ask = async () => {
    const answer = await project.run(['hook', 'stop', '--host', 'gemini'], {
      input: event('AfterAgent'),
      env: TRUSTED,
    });
    return answer.stdout === '' ? answer.stderr : 'block';
  };
  grow();
  await project.run(['hook', 'session-start', '--host', 'gemini'], { input: event('SessionStart'), env: TRUSTED });
  project.write('work.txt', '1');
  expect(await ask()).toBe('block');
  grow();
  expect([await ask(), await ask()]).toEqual(['block', 'block']);
  expect(await ask()).toContain('repeats the stop without asking its model');
  grow();
  expect(await ask()).toBe('block');
});
