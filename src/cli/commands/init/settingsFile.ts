import path from 'node:path';
import { claudeConfigDir } from '../../../session/settings/settingsFiles.ts';
import type { World } from '../../../system/world.ts';

export const SETTINGS_SCOPES = ['local', 'project', 'user'] as const;
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

export function scopeFile(scope: SettingsScope, world: Pick<World, 'cwd' | 'homeDir' | 'env'>): string {
  const folder = scope === 'user' ? claudeConfigDir(world) : path.join(world.cwd, '.claude');
  return path.join(folder, scope === 'local' ? 'settings.local.json' : 'settings.json');
}

/** The folder that a scope's file must be in, links resolved; the user's own may link anywhere (dotfiles). */
export function scopeFolder(scope: SettingsScope, { cwd }: Pick<World, 'cwd'>): string | undefined {
  return scope === 'user' ? undefined : cwd;
}
