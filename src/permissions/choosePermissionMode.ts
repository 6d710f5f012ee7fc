import type { PermissionSettings } from '../schemas/settings.ts';
import type { PermissionMode } from './types.ts';

type ModeFacts = Pick<PermissionSettings, 'defaultMode' | 'disableBypassPermissionsMode'>;

/**
 * A flag (`asked`) beats the settings; neither beats `disableBypassPermissionsMode`. `problem` is said to the person when
 * they do not get what they asked for.
 */
export function choosePermissionMode({ asked, ...settings }: ModeFacts & { readonly asked?: PermissionMode }) {
  const { defaultMode, disableBypassPermissionsMode } = settings;
  const mode = asked ?? defaultMode ?? 'default';
  if (mode !== 'bypassPermissions' || disableBypassPermissionsMode !== 'disable') return { mode };
  const problem =
    'bypassPermissions is switched off by permissions.disableBypassPermissionsMode in a settings file; the default mode is used.';
  return { mode: 'default' as const, problem };
}
