import { describe, expect, it } from 'vitest';
import { NO_SETTINGS, readSettings } from './settings.ts';

describe('readSettings', () => {
  it('reads every known key and keeps the others', () => {
    const file = {
      hooks: { Stop: 'anything' },
      permissions: {
        allow: ['Bash'],
        ask: ['Edit'],
        deny: ['Read'],
        defaultMode: 'plan',
        additionalDirectories: ['../x'],
      },
      env: { A: 'x', B: 1, C: true },
      model: 'sonnet',
      apiKeyHelper: 'key.sh',
      disableAllHooks: true,
      allowedHttpHookUrls: [],
      cleanupPeriodDays: 30,
      statusLine: { type: 'command' },
      $schema: 'x',
    };
    const { settings, issues } = readSettings(file);
    expect(issues).toEqual([]);
    const { statusLine, $schema, ...known } = file;
    expect(settings).toEqual({ ...known, env: { A: 'x', B: '1', C: 'true' }, other: { statusLine, $schema } });
  });

  it.each<[unknown, string, string]>([
    [{ model: 7 }, 'model', 'must be a string, but is 7'],
    [{ disableAllHooks: 'yes' }, 'disableAllHooks', 'must be a boolean'],
    [{ permissions: [] }, 'permissions', 'must be an object'],
    [{ permissions: { allow: 'Bash' } }, 'permissions/allow', 'must be a list of strings'],
    [{ permissions: { allow: ['a', 'b', 3] } }, 'permissions/allow/2', 'must be a string, but is 3'],
    [{ permissions: { defaultMode: 'auto' } }, 'permissions/defaultMode', 'must be one of default, acceptEdits'],
    [{ permissions: { disableBypassPermissionsMode: true } }, 'permissions/disableBypassPermissionsMode', 'disable'],
    [{ env: [] }, 'env', 'must be an object'],
    [{ env: { A: {} } }, 'env/A', 'must be a string'],
    [{ env: { 'A=B': 'x' } }, 'env/A=B', 'must be a string'],
    [{ allowedHttpHookUrls: [null] }, 'allowedHttpHookUrls/0', 'must be a string'],
    [[], '', 'must be an object'],
    ['x', '', 'must be an object'],
    [null, '', 'must be an object'],
  ])('names what is wrong in %j and reads the rest', (file, path, message) => {
    const { settings, issues } = readSettings(
      typeof file === 'object' && file && !Array.isArray(file) ? { ...file, includeCoAuthoredBy: false } : file,
    );
    expect(issues.map((issue) => issue.path.join('/'))).toEqual([path]);
    expect(issues[0]?.message).toContain(message);
    expect(settings.includeCoAuthoredBy).toBe(path === '' ? undefined : false);
  });

  it('keeps the good entries of a list', () => {
    expect(readSettings({ permissions: { deny: ['a', 1, 'b'] } }).settings.permissions.deny).toEqual(['a', 'b']);
  });

  it('takes no key from a prototype', () => {
    const file: unknown = JSON.parse('{"__proto__": {"model": "x"}, "env": {"__proto__": "y"}}');
    expect(readSettings(file).settings.model).toBeUndefined();
    expect(({} as Record<string, unknown>).model).toBeUndefined();
  });

  it('reads nothing out of nothing', () => {
    expect(readSettings({})).toEqual({ settings: NO_SETTINGS, issues: [], oddRules: [] });
  });
});
