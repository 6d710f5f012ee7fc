import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../../system/environment.ts';
import { stopgateHome } from '../../system/stopgateHome.ts';
import type { SettingsSource } from './types.ts';

export interface SettingsPlaces {
  readonly projectDir: string;
  readonly homeDir: string;
  readonly env: Environment;
  /** Which of the person's and project's files are read; `--settings` and managed ones always are. */
  readonly sources?: readonly SettingsSource[];
  /** The managed file; its drop-in folder `managed-settings.d` is beside it. */
  readonly managedPath?: string;
  readonly platform?: NodeJS.Platform;
}

export interface SettingsFile {
  readonly source: SettingsSource;
  readonly file: string;
}

/** The person's Claude Code folder: `CLAUDE_CONFIG_DIR`, by default `~/.claude`. */
export function claudeConfigDir(places: Pick<SettingsPlaces, 'homeDir' | 'env'>): string {
  return places.env.CLAUDE_CONFIG_DIR || join(places.homeDir, '.claude');
}

/** Every settings file that could be there, weakest first. */
export async function settingsFiles(places: SettingsPlaces): Promise<readonly SettingsFile[]> {
  const wanted = places.sources ?? ['user', 'project', 'local'];
  const project = join(places.projectDir, '.claude');
  const own: SettingsFile[] = [
    { source: 'user', file: join(claudeConfigDir(places), 'settings.json') },
    { source: 'user', file: join(stopgateHome({ ...places.env, HOME: places.homeDir }), 'settings.json') },
    { source: 'project', file: join(project, 'settings.json') },
    { source: 'local', file: join(project, 'settings.local.json') },
  ];
  const managed = await managedFiles(managedPath(places));
  return [...own.filter(({ source }) => wanted.includes(source)), ...managed];
}

function managedPath(places: SettingsPlaces): string {
  const chosen = places.managedPath ?? places.env.STOPGATE_MANAGED_SETTINGS;
  if (chosen) return resolve(chosen);
  const mac = (places.platform ?? process.platform) === 'darwin';
  return mac
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json';
}

/** The base file, then its drop-ins by name: an administrator's later number overrides an earlier one. */
async function managedFiles(base: string): Promise<readonly SettingsFile[]> {
  const folder = join(dirname(base), 'managed-settings.d');
  const names = await readdir(folder).catch(() => []);
  const dropIns = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  return [base, ...dropIns.map((name) => join(folder, name))].map((file) => ({ source: 'managed' as const, file }));
}
