import path from 'node:path';
import { claudeConfigDir } from '../../../session/settings/settingsFiles.ts';
import type { World } from '../../../system/world.ts';

export const SETTINGS_SCOPES = ['local', 'project', 'user'] as const;
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

const FILES: Readonly<Record<SettingsScope, (world: Pick<World, 'cwd' | 'homeDir' | 'env'>) => string>> = {
  local: ({ cwd }) => path.join(cwd, '.claude', 'settings.local.json'),
  project: ({ cwd }) => path.join(cwd, '.claude', 'settings.json'),
  user: (world) => path.join(claudeConfigDir(world), 'settings.json'),
};

export function scopeFile(scope: SettingsScope, world: Pick<World, 'cwd' | 'homeDir' | 'env'>): string {
  return FILES[scope](world);
}

/** The folder that a scope's file must be in, links resolved; the user's own may link anywhere (dotfiles). */
export function scopeFolder(scope: SettingsScope, { cwd }: Pick<World, 'cwd'>): string | undefined {
  return scope === 'user' ? undefined : cwd;
}
