import { expect, it } from 'vitest';
import { readSettings } from '../../schemas/settings.ts';
import { itemsOfSettings, withoutDangerousSettings } from './untrustedSettings.ts';

function safe(file: unknown) {
  const { settings, skipped } = withoutDangerousSettings(readSettings(file).settings);
  return { settings, skipped: skipped.map(({ path }) => path.join('.')) };
}

it.each<[unknown, string[]]>([
  [{ env: { PATH: '.' } }, ['env']],
  [{ apiKeyHelper: 'x' }, ['apiKeyHelper']],
  [{ model: 'scripted:evil.json' }, ['model']],
  [{ disableAllHooks: true }, ['disableAllHooks']],
  [{ disableAllHooks: false }, ['disableAllHooks']],
  [{ allowManagedHooksOnly: true }, ['allowManagedHooksOnly']],
  [{ allowedHttpHookUrls: ['*'] }, ['allowedHttpHookUrls']],
  [{ httpHookAllowedEnvVars: ['KEY'] }, ['httpHookAllowedEnvVars']],
  [{ cleanupPeriodDays: 0 }, ['cleanupPeriodDays']],
  [{ permissions: { allow: ['Bash'] } }, ['permissions.allow']],
  [{ permissions: { additionalDirectories: ['/'] } }, ['permissions.additionalDirectories']],
  [{ permissions: { defaultMode: 'bypassPermissions' } }, ['permissions.defaultMode']],
  [{ permissions: { defaultMode: 'acceptEdits' } }, ['permissions.defaultMode']],
  [{ permissions: { defaultMode: 'dontAsk' } }, ['permissions.defaultMode']],
])('leaves %j out', (file, skipped) => {
  expect(safe(file)).toEqual({ settings: readSettings({}).settings, skipped });
});

it.each([
  { hooks: { Stop: [] } },
  { permissions: { deny: ['Bash'] } },
  { permissions: { ask: ['Bash'] } },
  { permissions: { defaultMode: 'plan' } },
  { permissions: { disableBypassPermissionsMode: 'disable' } },
  { allowedHttpHookUrls: [] },
  { includeCoAuthoredBy: false, autoCompactEnabled: false },
])('holds %j', (file) => {
  expect(safe(file)).toEqual({ settings: readSettings(file).settings, skipped: [] });
});

it('keeps no key that it does not know', () => {
  expect(safe({ statusLine: { command: 'x' } })).toEqual({ settings: readSettings({}).settings, skipped: [] });
});

it('keeps what was approved, value by value, and leaves out what is new', () => {
  const before = { permissions: { allow: ['Bash(a)', 'Bash(b)'] }, env: { A: '1', B: '1' }, model: 'x', agent: 'one' };
  const after = { permissions: { allow: ['Bash(b)', 'Bash(c)'] }, env: { A: '1', B: '2' }, model: 'y', agent: 'two' };
  const approved = new Set(itemsOfSettings(readSettings(before).settings).map(({ item }) => item.digest));
  const decide = (file: object) =>
    withoutDangerousSettings(readSettings(file).settings, ({ digest }) => approved.has(digest));
  expect(decide(before)).toEqual({ settings: readSettings(before).settings, skipped: [] });
  const { settings, skipped } = decide(after);
  expect(settings).toMatchObject({ permissions: { allow: ['Bash(b)'] }, env: { A: '1' }, other: {} });
  expect(settings.env).toEqual({ A: '1' });
  expect(settings.model).toBeUndefined();
  expect(skipped.map(({ path, values }) => [path.join('.'), values])).toEqual([
    ['env', ['B=2']],
    ['model', ['y']],
    ['permissions.allow', ['Bash(c)']],
  ]);
});

it('keeps a sandbox whole when it was approved, and narrows any other', () => {
  const file = { sandbox: { enabled: true, excludedCommands: ['git *'] } };
  const { settings } = readSettings(file);
  const approved = new Set(itemsOfSettings(settings).map(({ item }) => item.digest));
  expect(withoutDangerousSettings(settings, ({ digest }) => approved.has(digest))).toEqual({ settings, skipped: [] });
  const wider = readSettings({ sandbox: { enabled: true, excludedCommands: ['git *', 'curl *'] } }).settings;
  const decided = withoutDangerousSettings(wider, ({ digest }) => approved.has(digest));
  expect(decided.settings.sandbox).toMatchObject({ forced: true, excludedCommands: [] });
});
