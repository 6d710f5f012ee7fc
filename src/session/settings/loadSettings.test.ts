import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TRUSTED, UNTRUSTED } from '../trust/folderTrust.ts';
import { type LoadSettingsOptions, loadSettings } from './loadSettings.ts';

let root: string;
let options: LoadSettingsOptions;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'stopgate-')));
  options = {
    projectDir: join(root, 'project'),
    homeDir: join(root, 'home'),
    env: {},
    managedPath: join(root, 'etc', 'managed-settings.json'),
    trust: TRUSTED,
  };
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, content: unknown): Promise<string> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return file;
}

describe('loadSettings', () => {
  it('finds nothing, and nothing wrong, where there are no files', async () => {
    const { layers, problems } = await loadSettings(options);
    expect({ layers, problems }).toEqual({ layers: [], problems: [] });
  });

  it('reads every file at its level', async () => {
    await put('home/.claude/settings.json', { model: 'a', hooks: { n: 1 } });
    await put('home/.stopgate/settings.json', { model: 'b', hooks: { n: 2 } });
    await put('project/.claude/settings.json', { model: 'c', hooks: { n: 3 } });
    await put('project/.claude/settings.local.json', { model: 'd', hooks: { n: 4 } });
    await put('etc/managed-settings.json', { cleanupPeriodDays: 1, hooks: { n: 6 } });
    await put('etc/managed-settings.d/20-b.json', { cleanupPeriodDays: 3 });
    await put('etc/managed-settings.d/10-a.json', { cleanupPeriodDays: 2, hooks: { n: 7 } });
    await put('etc/managed-settings.d/readme.txt', 'no settings');
    const { merged, problems } = await loadSettings({ ...options, flagSettings: '{"model":"e","hooks":{"n":5}}' });
    expect(problems).toEqual([]);
    expect(merged.model).toBe('e');
    expect(merged.cleanupPeriodDays).toBe(3);
    expect(merged.hooks.map(({ hooks }) => hooks)).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => ({ n })));
    expect(merged.hooks[4]).toMatchObject({ source: 'flag', file: '--settings' });
  });

  it('takes folders from the environment', async () => {
    await put('elsewhere/settings.json', { model: 'a' });
    await put('own/settings.json', { cleanupPeriodDays: 5 });
    const managed = await put('policy.json', { disableAllHooks: true });
    const { managedPath, ...rest } = options;
    const env = {
      CLAUDE_CONFIG_DIR: join(root, 'elsewhere'),
      STOPGATE_HOME: join(root, 'own'),
      STOPGATE_MANAGED_SETTINGS: managed,
    };
    const { merged } = await loadSettings({ ...rest, env });
    expect(merged).toMatchObject({ model: 'a', cleanupPeriodDays: 5, disableAllHooks: true });
  });

  it('reads only the given sources, and always the managed ones', async () => {
    await put('home/.claude/settings.json', {});
    await put('project/.claude/settings.json', {});
    await put('project/.claude/settings.local.json', {});
    await put('etc/managed-settings.json', {});
    const { layers } = await loadSettings({ ...options, sources: ['user'], flagSettings: '{}' });
    expect(layers.map(({ source }) => source).sort()).toEqual(['flag', 'managed', 'user']);
  });

  it('reads --settings from a file, and reports when there is none', async () => {
    await put('project/extra.json', { model: 'x' });
    expect((await loadSettings({ ...options, flagSettings: 'extra.json' })).merged.model).toBe('x');
    const { problems } = await loadSettings({ ...options, flagSettings: 'missing.json' });
    expect(problems).toMatchObject([
      { level: 'error', message: expect.stringContaining('missing.json was named by --settings') },
    ]);
  });

  it('takes the person’s file for their own when they work in their home folder', async () => {
    await put('home/.claude/settings.json', { env: { A: '1' }, hooks: {} });
    const { merged, problems } = await loadSettings({ ...options, projectDir: options.homeDir, trust: UNTRUSTED });
    expect(merged.env).toEqual({ A: '1' });
    expect(merged.hooks).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});

describe('what is broken', () => {
  it('is reported with line and column, and the other files still hold', async () => {
    const file = await put('project/.claude/settings.json', '{\n  "model": "x",\n  // note\n}');
    await put('home/.claude/settings.json', { model: 'a' });
    const { merged, problems } = await loadSettings(options);
    expect(merged.model).toBe('a');
    expect(problems).toEqual([
      {
        level: 'error',
        file,
        path: '',
        line: 3,
        column: 3,
        message: expect.stringContaining(`${file}:3:3 is not plain JSON: there is a comment`),
      },
    ]);
  });

  it('is reported with its place, and the rest of the file still holds', async () => {
    const file = await put('home/.claude/settings.json', {
      model: 7,
      permissions: { deny: ['Bash(rm *)', 3, 'bash(x)', 'B('] },
    });
    const { merged, problems } = await loadSettings(options);
    expect(merged.permissions.deny).toEqual(['Bash(rm *)', 'bash(x)', 'B(']);
    expect(problems.map(({ path, line, level }) => [path, line, level])).toEqual([
      ['model', 2, 'warning'],
      ['permissions.deny[1]', 6, 'warning'],
      ['permissions.deny[2]', 7, 'warning'],
      ['permissions.deny[3]', 8, 'warning'],
    ]);
    expect(problems[0]?.message).toBe(`${file}:2: model must be a string, but is 7; it is ignored.`);
    expect(problems[2]?.message).toContain('write Bash');
  });

  it('does not hide a file that starts with a byte order mark', async () => {
    await put('home/.claude/settings.json', '\ufeff{"model":"a"}');
    expect((await loadSettings(options)).merged.model).toBe('a');
  });

  it('passes over an empty file', async () => {
    await put('home/.claude/settings.json', '\n');
    expect((await loadSettings(options)).problems).toEqual([]);
  });

  it('is a file that is too large, a folder or a pipe, and none of them hangs', async () => {
    await put('home/.claude/settings.json', `{"a":"${'x'.repeat(1_000_001)}"}`);
    await mkdir(join(root, 'project/.claude/settings.json'), { recursive: true });
    execFileSync('mkfifo', [join(root, 'project/.claude/settings.local.json')]);
    const { layers, problems } = await loadSettings(options);
    expect(layers).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('larger than 1 MB'),
      expect.stringMatching(/cannot be read: it is (a folder|not a regular file)/),
      expect.stringContaining('not a regular file'),
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('is a file that may not be read', async () => {
    const file = await put('home/.claude/settings.json', {});
    await chmod(file, 0);
    expect((await loadSettings(options)).problems).toMatchObject([
      { message: expect.stringContaining('permission is denied') },
    ]);
  });

  it('keeps an administrator’s lock that is misspelt', async () => {
    await put('etc/managed-settings.json', { allowManagedHooksOnly: 'true' });
    const { merged, problems } = await loadSettings(options);
    expect(merged.allowManagedHooksOnly).toBe(true);
    expect(problems).toHaveLength(1);
  });
});

describe('a project that is not trusted', () => {
  it('may tighten and not loosen, and everything left out is named', async () => {
    const file = await put('project/.claude/settings.json', {
      env: { PATH: '.' },
      permissions: { allow: ['Bash'], deny: ['Read(.env)'], defaultMode: 'acceptEdits' },
    });
    await put('home/.claude/settings.json', { permissions: { allow: ['Edit'] }, env: { A: '1' } });
    const { merged, problems } = await loadSettings({ ...options, trust: UNTRUSTED });
    expect(merged.permissions).toMatchObject({ allow: ['Edit'], deny: ['Read(.env)'] });
    expect(merged.permissions.defaultMode).toBeUndefined();
    expect(merged.env).toEqual({ A: '1' });
    expect(problems.map(({ level, path, line }) => [level, path, line])).toEqual([
      ['skipped', 'env', 2],
      ['skipped', 'permissions.allow', 6],
      ['skipped', 'permissions.defaultMode', 12],
    ]);
    expect(problems[0]?.message).toContain(`${file}:2: env is left out until you trust this project`);
  });

  it.each(['settings.json', 'settings.local.json'])(
    'cannot bypass permissions by its own %s, trusted or not',
    async (name) => {
      const file = await put(`project/.claude/${name}`, { permissions: { defaultMode: 'bypassPermissions' } });
      for (const trust of [TRUSTED, UNTRUSTED]) {
        const { merged, problems } = await loadSettings({ ...options, trust });
        expect(merged.permissions.defaultMode).toBeUndefined();
        expect(problems.map(({ message }) => message)).toEqual([
          `${file}:3: permissions.defaultMode cannot be "bypassPermissions" in a project's own file; set it in your user settings or pass --permission-mode; it is ignored.`,
        ]);
      }
    },
  );

  it('is not trusted through settings.local.json either, nor by default', async () => {
    await put('project/.claude/settings.local.json', { apiKeyHelper: 'x' });
    const { trust, ...untold } = options;
    const { merged, problems } = await loadSettings(untold);
    expect(merged.apiKeyHelper).toBeUndefined();
    expect(problems).toMatchObject([{ level: 'skipped', path: 'apiKeyHelper' }]);
  });

  it('does not borrow the person’s trust through a link', async () => {
    await put('home/.claude/settings.json', { model: 'a' });
    await put('project/evil.json', { model: 'b' });
    await mkdir(join(root, 'project/.claude'));
    await symlink('../evil.json', join(root, 'project/.claude/settings.json'));
    expect((await loadSettings({ ...options, trust: UNTRUSTED })).merged.model).toBe('a');
  });
});
