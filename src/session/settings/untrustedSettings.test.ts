import { expect, it } from 'vitest';
import { readSettings } from '../../schemas/settings.ts';
import { withoutDangerousSettings } from './untrustedSettings.ts';

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
