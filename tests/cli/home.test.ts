import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPILED_CODE_AT_HOME } from '../support/compiledCode.ts';
import { BIN, testProject } from '../support/project.ts';

const OTHER_UID = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('Not run: what needs a second user, because these tests do not run as root.');

describe("Stopgate's own folder", () => {
  it.each([['000'], ['002'], ['022'], ['077']])('is closed to others whatever the umask is: %s', async (umask) => {
    await using project = await testProject();
    const line = `umask ${umask}; exec "$0" "$@"`;
    const env = { PATH: process.env.PATH ?? '', HOME: project.home };
    const child = spawn('sh', ['-c', line, process.execPath, BIN, 'task', 'list'], { env, cwd: project.dir });
    await once(child, 'close');
    const home = path.join(project.home, '.stopgate');
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(existsSync(path.join(home, 'cache/compile'))).toBe(true);
  });

  it('is not made in the current folder by a relative path', async () => {
    await using project = await testProject();
    expect((await project.run(['task', 'list'], { env: { HOME: 'there' } })).stderr).toBe(
      'stopgate: HOME must be an absolute path, got "there".\n',
    );
    const relative = await project.run(['task', 'list'], { env: { STOPGATE_HOME: './here' } });
    expect([relative.code, relative.stderr]).toEqual([
      2,
      'stopgate: STOPGATE_HOME must be an absolute path, got "./here".\n',
    ]);
    const input = JSON.stringify({ session_id: 's', cwd: project.dir, hook_event_name: 'Stop' });
    const hook = await project.run(['hook', 'stop'], { input, env: { HOME: 'there' } });
    expect([hook.code, hook.stdout]).toEqual([0, expect.stringContaining('Stopgate: HOME must be an absolute path')]);
    expect(readdirSync(project.dir)).toEqual([]);
  });

  it.each([
    ['its group', 0o770, 'mode 770'],
    ['everybody', 0o777, 'mode 777'],
    ['everybody, with a sticky bit', 0o1777, 'mode 777'],
  ])('is not used when %s can write to it', async (_who, mode, words) => {
    await using project = await testProject();
    const home = path.join(project.home, '.stopgate');
    mkdirSync(home);
    chmodSync(home, mode);
    for (const args of [['task', 'list'], ['task', 'claim'], ['-p', 'x'], ['status'], ['--version']]) {
      expect(await project.run(args, { env: COMPILED_CODE_AT_HOME })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `stopgate: ${home} can be written by other users (${words}), so nothing in it is used; check its content, then run: chmod go-w ${home}.\n`,
      });
    }
    expect(existsSync(path.join(home, 'cache'))).toBe(false);
    chmodSync(home, 0o755);
    expect((await project.run(['task', 'list'])).code).toBe(0);
  });

  it('lets an agent stop, and says why, when its hook cannot rely on it', async () => {
    await using project = await testProject();
    const home = path.join(project.home, '.stopgate');
    mkdirSync(home);
    chmodSync(home, 0o777);
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"touch ran; false"}]}');
    writeFileSync(path.join(home, 'trust.json'), '{}');
    const input = JSON.stringify({
      session_id: 's',
      transcript_path: '/t',
      cwd: project.dir,
      hook_event_name: 'Stop',
      permission_mode: 'default',
    });
    const end = await project.run(['hook', 'stop'], {
      input,
      env: { ...COMPILED_CODE_AT_HOME, STOPGATE_TRUST_PROJECT: '1' },
    });
    expect([end.code, end.stderr]).toEqual([0, expect.stringContaining('can be written by other users')]);
    expect(existsSync(path.join(project.dir, 'ran'))).toBe(false);
    expect(existsSync(path.join(home, 'cache'))).toBe(false);
  });

  it('may be a link of its user to a folder of its user', async () => {
    await using project = await testProject();
    const target = path.join(project.home, 'elsewhere');
    mkdirSync(target, { mode: 0o700 });
    symlinkSync(target, path.join(project.home, '.stopgate'));
    expect((await project.run(['task', 'list'])).code).toBe(0);
    chmodSync(target, 0o777);
    expect((await project.run(['task', 'list'])).stderr).toContain('can be written by other users');
  });

  it.runIf(isRoot)('is not used when it belongs to another user', async () => {
    await using project = await testProject();
    const home = path.join(project.home, '.stopgate');
    mkdirSync(home);
    chownSync(home, OTHER_UID, OTHER_UID);
    expect(await project.run(['task', 'list'])).toMatchObject({
      code: 1,
      stderr: `stopgate: ${home} belongs to another user (uid ${OTHER_UID}), so nothing in it is used; set STOPGATE_HOME to a folder of your own.\n`,
    });
  });

  it.runIf(isRoot)('is not written to by another user', async () => {
    await using project = await testProject();
    await project.run(['task', 'list'], { env: {} });
    const home = path.join(project.home, '.stopgate');
    // the way there is open, as /home is
    for (let folder = project.home; folder !== '/'; folder = path.dirname(folder)) {
      if (folder.includes('stopgate-')) chmodSync(folder, 0o755);
    }
    const plant = spawnSync('sh', ['-c', `mkdir -p ${home}/profiles/default/hooks`], {
      uid: OTHER_UID,
      gid: OTHER_UID,
      cwd: '/',
    });
    expect(plant.status).not.toBe(0);
    expect(existsSync(path.join(home, 'profiles'))).toBe(false);
  });
});
