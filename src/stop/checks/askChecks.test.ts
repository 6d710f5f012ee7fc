import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { askChecks, type ChecksGate } from './askChecks.ts';
import { checksMemory } from './memory.ts';
import { readConfig } from './readConfig.ts';
import { NEW_SESSION, roughFiles } from './types.ts';

/** A folder with a definition of done; its digest is the text of `state`. */
async function project(config: unknown) {
  const folder = await tempFolder();
  const at = (name: string) => path.join(folder.path, name);
  await mkdir(at('project'));
  await writeFile(at('project/stopgate.config.json'), JSON.stringify(config));
  const setState = (text: string) => writeFile(at('project/state'), text);
  await setState('one');
  const read = await readConfig(at('project'));
  if (read.type !== 'config') throw new Error(JSON.stringify(read));
  const stop = (sessionId = 's', more: Partial<ChecksGate> = {}) =>
    askChecks({
      done: read.done,
      memory: checksMemory({ stopgateHome: at('home'), folder: at('project'), sessionId }),
      demand: 'question',
      state: async () => {
        const files = await readFile(at('project/state'), 'utf8');
        return { files, key: files, problem: null, isRough: false, head: null, tree: '' };
      },
      processes: spawnProcesses(),
      env: { PATH: process.env.PATH ?? '' },
      clock: systemClock,
      deadlineAt: systemClock.now() + 60_000,
      deadlineOf: 'budget',
      lockFile: at('home/checks.lock'),
      mark: folder.path,
      signal: new AbortController().signal,
      ...more,
    });
  const runs = async () => (await readFile(at('project/runs'), 'utf8').catch(() => '')).length;
  return { at, setState, stop, runs, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const counted = (command: string) => `printf x >> runs; ${command}`;

describe('the checks gate', () => {
  it('blocks with the failing part, then passes when the check does, and remembers that', async () => {
    await using done = await project({ checks: [{ name: 'test', command: counted('cat state; grep -q two state') }] });
    const first = await done.stop();
    expect(first).toMatchObject({ type: 'block' });
    expect(first.type === 'block' && first.reason).toMatch(
      /^Not done yet: 1 of 1 check failed\.\n\ntest \(`.*`\) exited 1 after [\d.]+m?s:\none\n\nFix the failures/,
    );
    await done.setState('two');
    expect(await done.stop()).toMatchObject({ type: 'pass', notes: [], ending: { type: 'passed' } });
    expect(await done.runs()).toBe(2);
    // the same files again, from any session: it is known to pass
    expect(await done.stop('another')).toMatchObject({ type: 'pass', notes: [], ending: { type: 'passed' } });
    expect(await done.runs()).toBe(2);
  });

  it('stops blocking when nothing changes, with a note, and only for that session', async () => {
    await using done = await project({ checks: [{ command: 'false' }] });
    expect(await done.stop()).toMatchObject({ type: 'block' });
    const second = await done.stop();
    expect(second.type === 'block' && second.reason).toContain('No file has changed since your last stop.');
    expect(await done.stop()).toMatchObject({
      type: 'pass',
      ending: { type: 'stalled' },
      notes: [
        'Stopgate: stalled. 1 check still failing (false); nothing changed in the last 3 stops, so it may stop now.',
      ],
    });
    expect(await done.stop('another')).toMatchObject({ type: 'block' });
  });

  it('runs only checks with `always` when the session changed nothing', async () => {
    await using done = await project({
      checks: [{ command: counted('false') }, { name: 'every time', command: 'false', when: 'always' }],
    });
    const memory = checksMemory({
      stopgateHome: done.at('home'),
      folder: done.at('project'),
      sessionId: 's',
      environment: '',
    });
    await memory.rememberSession({ ...NEW_SESSION, baseline: 'one' });
    const answer = await done.stop();
    expect(answer.type === 'block' && answer.reason).toContain('every time');
    expect(await done.runs()).toBe(0);
  });

  it('checks an order for work although nothing changed, by default', async () => {
    await using done = await project({
      checks: [
        { name: 'by the rule', command: 'false' },
        { name: 'only changes', command: counted('false'), when: 'changed' },
      ],
    });
    const memory = checksMemory({ stopgateHome: done.at('home'), folder: done.at('project'), sessionId: 's' });
    await memory.rememberSession({ ...NEW_SESSION, baseline: 'one' });
    expect(await done.stop()).toMatchObject({ type: 'pass', ending: { why: 'nothingChanged' } });
    expect(await done.stop('s', { demand: 'order' })).toMatchObject({
      type: 'block',
      ending: { reason: 'failed (by the rule)' },
    });
    expect(await done.runs()).toBe(0);
    expect(await done.stop('s', { demand: 'proof' })).toMatchObject({
      ending: { reason: 'failed (by the rule, only changes)' },
    });
  });

  it('distinguishes a check that hangs from one that the deadline cut short', async () => {
    await using done = await project({ checks: [{ name: 'slow', command: 'sleep 600', timeout: 1 }] });
    const hung = await done.stop();
    expect(hung.type === 'block' && hung.reason).toContain('did not end within 1s and was ended, with no output.');
    await using short = await project({ checks: [{ name: 'slow', command: 'sleep 600', timeout: '10m' }] });
    // enough to begin on a busy machine
    expect(await short.stop('s', { deadlineAt: systemClock.now() + 4_000 })).toMatchObject({
      type: 'pass',
      ending: { type: 'outOfTime', reason: 'out of time (not finished: slow)' },
      notes: ['Stopgate: the time ran out before slow finished; the stop was not blocked for this.'],
    });
  });

  it('holds a check that the hook itself has no time for', async () => {
    await using short = await project({ checks: [{ name: 'slow', command: 'echo begun; sleep 600', timeout: '2h' }] });
    // enough to begin on a busy machine
    const deadlineAt = systemClock.now() + 4_000;
    const answer = await short.stop('s', { deadlineAt, deadlineOf: 'hook' });
    expect(answer.type === 'block' && answer.reason).toMatch(
      /did not finish within \ds and was ended: the stop hook has no more time, although the check may take 2h\. Run `stopgate init` again.*\nbegun/,
    );
  });

  it('explains why a missing command fails', async () => {
    await using done = await project({ checks: [{ command: ['no-such-program', '--x'] }] });
    const answer = await done.stop();
    expect(answer.type === 'block' && answer.reason).toMatch(
      /`no-such-program --x` could not be started: .*no-such-program/,
    );
  });

  it('never blocks an interrupted stop, and ends what it ran', async () => {
    await using done = await project({ checks: [{ command: 'echo $$ > pid; exec sleep 600' }] });
    const interrupt = new AbortController();
    const stopping = done.stop('s', { signal: interrupt.signal, onCheck: () => interrupt.abort() });
    expect(await stopping).toMatchObject({
      type: 'pass',
      notes: ['Stopgate: the checks were interrupted.'],
    });
  });

  it('remembers no pass for files that changed while the checks ran', async () => {
    await using done = await project({
      checks: [
        { name: 'good', command: counted('! grep -q bad state') },
        { name: 'generate', command: 'printf bad > state' },
      ],
    });
    expect(await done.stop()).toMatchObject({ type: 'pass' });
    const second = await done.stop();
    expect(second.type === 'block' && second.reason).toContain('good');
    expect(await done.runs()).toBe(2);
  });

  it('remembers no pass of a run during which the files changed, also when they are put back', async () => {
    await using done = await project({ checks: [{ command: counted('printf other > state') }] });
    expect(await done.stop()).toMatchObject({ type: 'pass' });
    await done.setState('one');
    await done.stop();
    expect(await done.runs()).toBe(2);
  });

  it('gives its verdict although it cannot be stored, with a note', async () => {
    await using done = await project({ checks: [{ command: 'false' }] });
    await writeFile(done.at('home'), 'a file where the folder should be');
    expect(await done.stop()).toMatchObject({
      type: 'block',
      notes: [
        expect.stringContaining('the folder could not be locked'),
        expect.stringContaining('could not be stored'),
      ],
    });
  });

  describe('when the files cannot be read exactly', () => {
    const rough = (files: string) => async () =>
      ({
        files: roughFiles(files),
        key: null,
        problem: 'Git is not installed.',
        isRough: true,
        head: null,
        tree: '',
      }) as const;
    const NOTE = expect.stringContaining(
      'passes are not remembered, and changes are detected by names, sizes and times',
    );

    it('still stalls, and notes that it knows less', async () => {
      await using done = await project({ checks: [{ command: 'false' }] });
      const stop = () => done.stop('s', { state: rough('a') });
      expect(await stop()).toMatchObject({ type: 'block', notes: [NOTE] });
      expect(await stop()).toMatchObject({ type: 'block' });
      expect(await stop()).toMatchObject({ type: 'pass', ending: { type: 'stalled' } });
    });

    it('goes on while files change', async () => {
      await using done = await project({ checks: [{ command: 'false' }] });
      for (const files of ['a', 'b', 'c', 'd']) {
        expect(await done.stop('s', { state: rough(files) })).toMatchObject({ type: 'block' });
      }
    });

    it('remembers no pass', async () => {
      await using done = await project({ checks: [{ command: counted('true') }] });
      for (let stops = 0; stops < 2; stops++) await done.stop('s', { state: rough('a') });
      expect(await done.runs()).toBe(2);
    });

    it.each([
      ['began so as well', roughFiles('a'), 'unknown'],
      ['began with an exact state, and called no tool', 'one', 'none'],
    ] as const)('holds no question of a session that %s', async (_name, baseline, activity) => {
      await using done = await project({ checks: [{ command: 'false' }] });
      const memory = checksMemory({ stopgateHome: done.at('home'), folder: done.at('project'), sessionId: 's' });
      await memory.rememberSession({ ...NEW_SESSION, baseline });
      const answer = await done.stop('s', { state: rough('a'), activity: () => activity });
      expect(answer).toMatchObject({ type: 'pass', ending: { why: 'nothingChanged' } });
      expect(answer.notes[0]?.includes('since the session began is not known')).toBe(baseline === 'one');
    });
  });

  it('remembers no pass where not everything that a check reads is known, and explains why', async () => {
    await using done = await project({ checks: [{ command: counted('true') }] });
    const problem = 'The folder /out has too many files.';
    const state = async () => ({ files: 'a', key: null, problem, isRough: false, head: null, tree: '' });
    for (let stops = 0; stops < 2; stops++) {
      expect(await done.stop('s', { state })).toMatchObject({
        notes: [`Stopgate: passes are not remembered, because not everything that a check reads is known. ${problem}`],
      });
    }
    expect(await done.runs()).toBe(2);
  });

  it('records that others changed the files, where the session did not', async () => {
    await using done = await project({ checks: [{ command: 'false' }] });
    const memory = checksMemory({ stopgateHome: done.at('home'), folder: done.at('project'), sessionId: 's' });
    await memory.rememberSession({ ...NEW_SESSION, baseline: 'before' });
    expect(await done.stop('s', { activity: () => 'none' })).toMatchObject({
      type: 'pass',
      ending: {
        type: 'skipped',
        why: 'changedByOthers',
        reason: 'skipped (another session or a person changed the files, not this session)',
      },
      notes: [expect.stringContaining('Another session or a person changed them')],
    });
  });

  it('takes torn memory for none', async () => {
    await using done = await project({ checks: [{ command: 'true' }] });
    expect(await done.stop()).toMatchObject({ type: 'pass' });
    const memory = checksMemory({
      stopgateHome: done.at('home'),
      folder: done.at('project'),
      sessionId: 's',
      environment: '',
    });
    const { readdir } = await import('node:fs/promises');
    const [gate] = await readdir(done.at('home/gates'));
    for (const name of await readdir(done.at(`home/gates/${gate}`))) {
      await writeFile(done.at(`home/gates/${gate}/${name}`), '[{"x":');
    }
    expect(await memory.session()).toEqual(NEW_SESSION);
    expect(await done.stop()).toMatchObject({ type: 'pass' });
  });
});
