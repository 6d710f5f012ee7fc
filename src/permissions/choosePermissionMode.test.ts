import { expect, it } from 'vitest';
import { SETTINGS_MODES } from '../schemas/settings.ts';
import { choosePermissionMode } from './choosePermissionMode.ts';
import { PERMISSION_MODES } from './types.ts';

it('takes the flag, then the setting, then the default', () => {
  expect(choosePermissionMode({})).toEqual({ mode: 'default' });
  expect(choosePermissionMode({ defaultMode: 'plan' })).toEqual({ mode: 'plan' });
  expect(choosePermissionMode({ asked: 'acceptEdits', defaultMode: 'plan' })).toEqual({ mode: 'acceptEdits' });
});

it('does not bypass where that is switched off, and says so', () => {
  const chosen = choosePermissionMode({ asked: 'bypassPermissions', disableBypassPermissionsMode: 'disable' });
  expect(chosen).toEqual({ mode: 'default', problem: expect.stringContaining('disableBypassPermissionsMode') });
});

it('knows the modes that settings know', () => {
  expect(SETTINGS_MODES).toEqual(PERMISSION_MODES);
});
