import path from 'node:path';
import { textOf } from '../../../hosts/claudeCode/settings/fileState.ts';
import type { SettingsChange } from '../../../hosts/claudeCode/settings/holdSettings.ts';
import { claudeConfigDir } from '../../../session/settings/settingsFiles.ts';
import type { World } from '../../../system/world.ts';
import type { Paint } from '../../output/colors.ts';
import { unifiedDiff } from '../../output/unifiedDiff.ts';
import { visibleText } from '../../output/visibleText.ts';

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

/** The diff of a settings file; control characters in it are made visible. */
export function changeDiff(
  { file, before, after }: Pick<SettingsChange, 'file' | 'before' | 'after'>,
  paint: Paint,
): string {
  const side = (state: SettingsChange['before']) =>
    state.type === 'absent' ? null : visibleText(textOf(state) ?? '(not text)\n');
  return unifiedDiff({ name: file, before: side(before), after: side(after) }, paint);
}
