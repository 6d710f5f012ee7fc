import type { PermissionMode } from './types.ts';

export interface ModeFacts {
  /** What a flag asked for. */
  readonly asked?: PermissionMode;
  readonly defaultMode?: PermissionMode;
  readonly disableBypassPermissionsMode?: 'disable';
}

export interface ChosenMode {
  readonly mode: PermissionMode;
  /** Said to the person when they do not get what they asked for. */
  readonly problem?: string;
}

/** A flag beats the settings; neither beats `disableBypassPermissionsMode`. */
export function choosePermissionMode({ asked, defaultMode, disableBypassPermissionsMode }: ModeFacts): ChosenMode {
  const mode = asked ?? defaultMode ?? 'default';
  if (mode !== 'bypassPermissions' || disableBypassPermissionsMode !== 'disable') return { mode };
  const problem =
    'bypassPermissions is switched off by permissions.disableBypassPermissionsMode in a settings file; the default mode is used.';
  return { mode: 'default', problem };
}
