import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestProject, testProject } from '../support/project.ts';

const LOCAL = '.claude/settings.local.json';
const BEFORE = '\ufeff{\r\n\t"model":  "opus",\r\n\t"hooks": { "Stop": [{ "hooks": [] }] }\r\n}';
const ROOT = path.join(import.meta.dirname, '../..');

const eventsIn = (text: string) => Object.keys(JSON.parse(text).hooks);
const git = (project: TestProject, ...args: string[]) => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' });

describe.concurrent('init and remove', () => {
  it('writes hooks, a configuration and trust, reports each, and removes the hooks byte for byte', async () => {
    await using project = await testProject();
    chmodSync(project.write(LOCAL, BEFORE), 0o600);
    project.write('package.json', '{"scripts":{"test":"true","lint":"true"}}');
    const { code, stdout, stderr } = await project.run(['init', '--yes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      `Updated ${LOCAL}. Claude Code now runs:\n  checks     Stop, StopFailure, SessionStart, PreToolUse\n`,
    );
    expect(stdout).toContain('Wrote stopgate.config.json with these checks: test (npm test), lint (npm run lint).');
    expect(stdout).toContain(`${project.dir} is now trusted, because Stopgate runs its checks`);
    expect(stdout).toContain(`if ${ROOT} moves, run \`stopgate init\` again.`);
    expect(project.read(LOCAL)).toContain(`\\"${ROOT}/dist/hook.cjs\\" hook stop `);
    expect(JSON.parse(project.read('stopgate.config.json')).checks[0]).toEqual({
      name: 'test',
      command: 'npm test',
      timeout: '10m',
    });
    expect((await project.run(['trust', '--list'])).stdout).toContain(project.dir);
    const once = project.read(LOCAL);
    expect((await project.run(['init', '--yes'])).stdout).toContain(`${LOCAL} already has these hooks:`);
    expect(project.read(LOCAL)).toBe(once);
    const removed = await project.run(['remove']);
    expect(removed.stdout).toBe(
      `Restored ${LOCAL} as it was before Stopgate.\nstopgate.config.json was kept.\n${project.dir} is still trusted; \`stopgate trust --remove ${project.dir}\` revokes that.\n`,
    );
    expect(project.read(LOCAL)).toBe(BEFORE);
    await project.run(['trust', '--remove', project.dir]);
    expect(statSync(path.join(project.dir, LOCAL)).mode & 0o777).toBe(0o600);
    expect(await project.run(['remove'])).toMatchObject({
      code: 0,
      stdout: `Nothing to remove: ${LOCAL} has no Stopgate entries.\n`,
    });
  });

  it('adds several agents in one table, and one with broken settings keeps none of the others from theirs', async () => {
    await using project = await testProject();
    project.write('.gemini/settings.json', '{ broken');
    project.write('../home/.codex/config.toml', '# mine\nmodel = gpt-5\n');
    const add = (...more: string[]) => project.run(['init', '--yes', '--host', 'codex,gemini,qwen,pi', ...more]);
    const { code, stdout, stderr } = await add();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Qwen Code +added: checks, countdown, landing +\.qwen\/settings\.json$/m);
    expect(stdout).toContain('`stopgate init --verbose` also shows');
    expect(stdout).not.toContain('stopHookBlockingCap');
    expect(stderr).toMatch(
      /^stopgate: Gemini CLI was left out: .*\.gemini\/settings\.json:1:3 .*; fix it and run this again\.$/m,
    );
    expect(stderr).toMatch(/^stopgate: Codex was left out: .*\.codex\/config\.toml:2:1 .*a text needs quotes/m);
    expect(existsSync(path.join(project.home, '.codex/hooks.json'))).toBe(false);
    const again = await add('--verbose');
    expect(again.stdout).toContain('.qwen/settings.json already has these hooks:\n  checks     Stop,');
    expect(again.stdout).toContain('stopHookBlockingCap');
    expect((await add('--json')).lines[0].refused.map(({ host }: { host: string }) => host)).toEqual([
      'codex',
      'gemini',
    ]);
    const removed = await project.run(['remove', '--host', 'gemini,qwen']);
    expect(removed).toMatchObject({ code: 1, stdout: expect.stringContaining('Deleted .qwen/settings.json') });
    expect(removed.stderr).toContain('.gemini/settings.json:1:3');
  });

  it('names the configuration of the repository instead of shadowing it in a sub-folder', async () => {
    await using project = await testProject();
    git(project, 'init', '-q');
    project.write('stopgate.config.json', '{"checks":[{"command":"true"}]}');
    project.write('api/package.json', '{"scripts":{"test":"true"}}');
    const inApi = (...args: string[]) => project.run(['init', ...args], { cwd: path.join(project.dir, 'api') });
    const dry = await inApi('--yes', '--dry-run', '--json');
    expect(dry.lines[0].config).toEqual({
      state: 'above',
      file: path.join(project.dir, 'stopgate.config.json'),
      checks: [],
    });
    const { code, stdout } = await inApi('--yes');
    expect(code).toBe(0);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      `${project.dir}/stopgate.config.json also applies to this folder, so no stopgate.config.json was written here`,
    );
    expect(existsSync(path.join(project.dir, 'api/stopgate.config.json'))).toBe(false);
    // it is the configuration's folder whose commands run
    expect((await project.run(['trust', '--list'])).stdout).toMatch(new RegExp(`${project.dir}\\s`));
    expect(existsSync(path.join(project.dir, 'api', LOCAL))).toBe(true);
  });

  it.each([
    ['local', LOCAL, { disableAllHooks: true }, true],
    ['project', '.claude/settings.json', { disableAllHooks: true }, true],
    ['user', '../home/.claude/settings.json', { disableAllHooks: true }, true],
    ['managed', '../home/managed.json', { disableAllHooks: true }, true],
    ['managed', '../home/managed.json', { allowManagedHooksOnly: true }, true],
    ['user', '../home/.claude/settings.json', { allowManagedHooksOnly: true }, false],
    ['our own', '../home/.stopgate/settings.json', { disableAllHooks: true }, false],
    ['user', '../home/.claude/settings.json', { disableAllHooks: false }, false],
  ])('says that nothing will run when %s settings (%s) have %j: %s', async (_whose, file, settings, isOff) => {
    await using project = await testProject();
    const written = project.write(file, JSON.stringify(settings));
    const env = { STOPGATE_MANAGED_SETTINGS: path.join(project.home, 'managed.json') };
    const { code, lines } = await project.run(['init', '--yes', '--json'], { env });
    expect(code).toBe(0);
    const off = lines[0].warnings.filter((text: string) => text.startsWith('Claude Code will not run these hooks'));
    expect(off).toEqual(
      isOff ? [expect.stringContaining(`${Object.keys(settings)[0]} is set in ${path.resolve(written)};`)] : [],
    );
  });

  it('does not say that hooks run which will not', async () => {
    await using project = await testProject();
    project.write('../home/.claude/settings.json', '{"disableAllHooks":true}');
    const { stdout } = await project.run(['init', '--yes']);
    expect(stdout).toContain(`Created ${LOCAL}. It has these hooks, which will not run:\n`);
    expect(stdout).not.toContain('Claude Code now runs');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Warning: Claude Code will not run these hooks:');
  });

  it('takes the weaker setting for overruled', async () => {
    await using project = await testProject();
    project.write('../home/.claude/settings.json', '{"disableAllHooks":true}');
    project.write(LOCAL, '{"disableAllHooks":false}');
    const { lines } = await project.run(['init', '--yes', '--json']);
    expect(lines[0].warnings.join()).not.toContain('will not run these hooks');
  });

  it('makes the file and its folder, and leaves neither', async () => {
    await using project = await testProject();
    await project.run(['init', '--yes', '--no-checks']);
    expect(eventsIn(project.read(LOCAL))).toEqual(['PostToolBatch', 'UserPromptSubmit', 'SessionStart', 'PreToolUse']);
    expect(existsSync(path.join(project.dir, 'stopgate.config.json'))).toBe(false);
    expect((await project.run(['trust', '--list'])).stdout).toBe('No folder is trusted.\n');
    expect((await project.run(['remove'])).stdout).toContain(`Deleted ${LOCAL}: Stopgate created it`);
    expect(readdirSync(project.dir)).toEqual([]);
  });

  it('a dry run shows a diff, colours none in a pipe, and writes nothing anywhere', async () => {
    await using project = await testProject();
    project.write('Makefile', 'test:\n\ttrue\n');
    const { code, stdout } = await project.run(['init', '--dry-run'], { env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
    expect(code).toBe(0);
    expect(stdout).toContain(`--- /dev/null\n+++ ${project.dir}/${LOCAL}\n@@ -0,0 +1,`);
    expect(stdout).toContain('+    { "name": "make test", "command": "make test", "timeout": "10m" }\n');
    expect(stdout).toMatch(/would be trusted.*\n\nNothing was written\.\n$/s);
    expect(stdout).not.toContain('\u001b');
    expect(readdirSync(project.dir)).toEqual(['Makefile']);
    expect(readdirSync(project.home)).toEqual([]);
    await project.run(['init', '--yes']);
    const before = project.read(LOCAL);
    const remove = await project.run(['remove', '--dry-run']);
    expect(remove.stdout).toContain('+++ /dev/null\n');
    expect(project.read(LOCAL)).toBe(before);
  });

  it('keeps what was edited in the meantime and a configuration that was there', async () => {
    await using project = await testProject();
    project.write('stopgate.config.json', '{"checks":[]}');
    project.write(LOCAL, '{\n  "a": 1\n}\n');
    expect((await project.run(['init', '--yes'])).stdout).toContain(
      'stopgate.config.json already exists and was not changed',
    );
    project.write(LOCAL, project.read(LOCAL).replace('"a": 1', '"a": 2'));
    expect((await project.run(['remove'])).stdout).toContain(
      `Removed Stopgate's entries from ${LOCAL}; later edits are kept`,
    );
    expect(project.read(LOCAL)).toBe('{\n  "a": 2\n}\n');
    expect(project.read('stopgate.config.json')).toBe('{"checks":[]}');
  });

  it('has three scopes, and names the one that was forgotten', async () => {
    await using project = await testProject();
    const user = path.join(project.home, '.claude/settings.json');
    mkdirSync(path.dirname(user));
    writeFileSync(user, '{}');
    const init = await project.run(['init', '--yes', '--scope', 'user']);
    expect(init.stdout).toContain('Checks run in every folder that has a stopgate.config.json and is trusted');
    expect((await project.run(['trust', '--list'])).stdout).toBe('No folder is trusted.\n');
    const shared = await project.run(['init', '--yes', '--scope', 'project', '--no-checks']);
    expect(shared.stdout).toContain('Warning: .claude/settings.json is shared with everyone who works here');
    const forgot = await project.run(['remove']);
    expect(forgot.stdout).toContain(
      '.claude/settings.json also has Stopgate entries: stopgate remove --host claude --scope project\n',
    );
    expect(forgot.stdout).toContain('also has Stopgate entries: stopgate remove --host claude --scope user\n');
    const all = await project.run(['remove', '--all', '--json']);
    expect(JSON.parse(all.stdout).map((one: { changed: boolean }) => one.changed)).toEqual([true, true]);
    expect(readFileSync(user, 'utf8')).toBe('{}');
    expect(existsSync(path.join(project.dir, '.claude'))).toBe(false);
  });

  it('warns when git would take the file along, and not when it is ignored', async () => {
    await using project = await testProject();
    git(project, 'init', '-q');
    expect((await project.run(['init', '--yes'])).stdout).toContain(`git does not ignore ${LOCAL}`);
    project.write('.gitignore', '.claude/*.local.json\n');
    expect((await project.run(['init', '--yes'])).stdout).not.toContain('git does not ignore');
  });

  it('shows what trust enables besides the checks', async () => {
    await using project = await testProject();
    project.write('.claude/settings.json', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"curl evil"}]}]}}');
    const { stdout } = await project.run(['init', '--yes']);
    expect(stdout).toContain('Trusting this folder enables:');
    expect(stdout).toContain('    │ curl evil\n');
  });

  it("follows a link of the user's own settings and says so", async () => {
    await using project = await testProject();
    const settings = path.join(project.home, '.claude/settings.json');
    writeFileSync(path.join(project.home, 'dotfile.json'), '{"a":1}');
    mkdirSync(path.dirname(settings));
    symlinkSync(path.join(project.home, 'dotfile.json'), settings);
    expect((await project.run(['init', '--yes', '--scope', 'user'])).stdout).toContain(
      'is a symbolic link; its target',
    );
    await project.run(['remove', '--scope', 'user']);
    expect(readFileSync(path.join(project.home, 'dotfile.json'), 'utf8')).toBe('{"a":1}');
  });

  it.each<[string, (project: TestProject, target: string) => void]>([
    [
      'a link as the file',
      (project, target) => linkTo(path.join(project.dir, LOCAL), path.join(target, 'settings.local.json')),
    ],
    ['a link as the folder', (project, target) => linkTo(path.join(project.dir, '.claude'), target)],
  ])('writes nothing through %s that leads out of the project', async (_name, link) => {
    await using project = await testProject();
    const target = path.join(project.home, '.claude');
    mkdirSync(target);
    writeFileSync(path.join(target, 'settings.local.json'), '{"a":1}');
    link(project, target);
    for (const args of [['init', '--yes'], ['launch', '--time-budget', '1m', '--', 'x'], ['remove']]) {
      const { code, stderr } = await project.run(args);
      expect([args[0], code === 0]).toEqual([args[0], false]);
      expect(stderr).toMatch(
        /is a symbolic link to .*, outside of .*; replace the link by a file\. Nothing was changed\./,
      );
    }
    expect(readFileSync(path.join(target, 'settings.local.json'), 'utf8')).toBe('{"a":1}');
    expect(readdirSync(target)).toEqual(['settings.local.json']);
  });

  it.each<[string, string, RegExp]>([
    [
      'cannot be parsed',
      '{\n  "a": oops\n}',
      /settings\.local\.json:2:8 cannot be edited: .*; fix it and run this again\./,
    ],
    [
      'has a comment',
      '{\n  // mine\n}',
      /json:2:3 cannot be edited: there is a comment.* Claude Code ignores .*; fix it and/,
    ],
    [
      'has a trailing comma',
      '{"a": 1,}',
      /json:1:8 cannot be edited: there is a trailing comma.*; fix it and run this again/,
    ],
    ['has hooks of the wrong shape', '{"hooks": "x"}', /settings\.local\.json:1:11 cannot be edited: `hooks` must be/],
  ])('a file that %s is refused with a sentence and left as it is', async (_name, text, sentence) => {
    await using project = await testProject();
    project.write(LOCAL, text);
    const init = await project.run(['init', '--yes']);
    expect(init).toMatchObject({ code: 1, stdout: '' });
    expect(init.stderr).toMatch(sentence);
    expect(init.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(project.dir)).toEqual(['.claude']);
    expect(project.read(LOCAL)).toBe(text);
  });

  it('remove refuses a broken file as well', async () => {
    await using project = await testProject();
    project.write(LOCAL, '{,}');
    expect(await project.run(['remove'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/:1:2 cannot/),
    });
    expect(project.read(LOCAL)).toBe('{,}');
  });

  it.each<[string, string[], RegExp]>([
    ['no terminal', ['init'], /No terminal to ask at: pass --yes/],
    ['no feature', ['init', '--yes', '--no-checks', '--no-countdown', '--no-landing'], /No feature is enabled/],
    ['a scope that is none', ['init', '--scope', 'mine'], /Allowed choices are local, project, user/],
    [
      'a command that is none',
      ['init', '--yes', '--command', 'nowhere'],
      /--command .*nowhere is not an executable file/,
    ],
    ['all and one', ['remove', '--all', '--scope', 'user'], /cannot be used with option/],
  ])('%s is a sentence and exit 2', async (_name, args, sentence) => {
    await using project = await testProject();
    const { code, stdout, stderr } = await project.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^stopgate: /);
    expect(stderr).toMatch(sentence);
    expect(readdirSync(project.dir)).toEqual([]);
  });

  it('calls the stopgate it is told, and tells scripts all of it', async () => {
    await using project = await testProject();
    const own = project.write('bin/stopgate', '#!/bin/sh\n');
    chmodSync(own, 0o755);
    const { stdout } = await project.run(['init', '--yes', '--json', '--no-landing', '--command', 'bin/stopgate']);
    expect(JSON.parse(stdout)).toMatchObject({
      scope: 'local',
      features: ['checks', 'countdown'],
      hosts: [
        {
          host: 'claude',
          scope: 'local',
          files: [
            {
              file: path.join(project.dir, LOCAL),
              changed: true,
              entries: [
                { event: 'Stop', command: expect.stringContaining(`"${own}" hook stop `), timeout: 3600 },
                ...Array.from({ length: 5 }, () => ({})),
              ],
            },
          ],
        },
      ],
      config: { state: 'unknown' },
      trust: 'recorded',
    });
  });

  it('removes what a killed launch left, and leaves a running one', async () => {
    await using project = await testProject();
    project.write(LOCAL, BEFORE);
    const facts = { file: path.join(project.dir, LOCAL), stopgateHome: path.join(project.home, '.stopgate') };
    const script = path.join(ROOT, 'tests/support/holdingProcess.mjs');
    const launch = spawn(process.execPath, [script, JSON.stringify(facts)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const gone = once(launch, 'close');
    await Promise.race([once(launch.stdout, 'data'), gone]);
    const left = await project.run(['remove']);
    expect(left.stdout).toContain(
      `was not changed. A launch is still running (process ${launch.pid}) and keeps its entries`,
    );
    expect(project.read(LOCAL)).toContain('# stopgate');
    launch.kill('SIGKILL');
    await gone;
    expect((await project.run(['remove'])).stdout).toContain(`A killed launch (process ${launch.pid})`);
    expect(project.read(LOCAL)).toBe(BEFORE);
  });

  it('have examples in their help', async () => {
    await using project = await testProject();
    for (const command of ['init', 'remove']) {
      expect((await project.run([command, '--help'])).stdout).toContain(`Examples:\n  $ stopgate ${command} `);
    }
  });
});

function linkTo(file: string, target: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(target, file);
}
