import { dirname, resolve } from 'node:path';
import { NO_SANDBOX, type SandboxFiles, type SandboxSettings } from '../../schemas/sandboxSettings.ts';
import { NO_PERMISSIONS, type PermissionSettings, type Settings } from '../../schemas/settings.ts';
import { type MergedSettings, SETTINGS_SOURCES, type SettingsLayer } from './types.ts';

/**
 * One view of all layers: the strongest level sets single values; lists and hooks of all levels are joined. In one level
 * a later layer is stronger.
 */
export function mergeSettings(layers: readonly SettingsLayer[]): MergedSettings {
  const ordered = [...layers].sort((a, b) => rank(a) - rank(b));
  return ordered.reduce<MergedSettings>(addLayer, { permissions: NO_PERMISSIONS, env: {}, other: {}, hooks: [] });
}

function rank(layer: SettingsLayer): number {
  return SETTINGS_SOURCES.indexOf(layer.source);
}

function addLayer(merged: MergedSettings, layer: SettingsLayer): MergedSettings {
  const { hooks, allowManagedHooksOnly, sandbox, ...settings } = layer.settings;
  const { source, file, text } = layer;
  return {
    ...merged,
    ...settings,
    // only an administrator may lock out the hooks of others
    ...(source === 'managed' && allowManagedHooksOnly !== undefined ? { allowManagedHooksOnly } : {}),
    ...lists(merged, settings),
    ...(sandbox && { sandbox: mergeSandbox(merged.sandbox, sandbox, layer) }),
    permissions: addPermissions(merged.permissions, settings.permissions),
    env: { ...merged.env, ...settings.env },
    other: { ...merged.other, ...settings.other },
    hooks: hooks === undefined ? merged.hooks : [...merged.hooks, { source, file, hooks, text }],
  };
}

function lists(merged: MergedSettings, settings: Settings): Pick<Settings, ListKey> {
  const joined: { [Key in ListKey]?: readonly string[] } = {};
  for (const key of LIST_KEYS) {
    const added = settings[key];
    if (added) joined[key] = union(merged[key] ?? [], added);
  }
  return joined;
}

const LIST_KEYS = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars'] as const;
type ListKey = (typeof LIST_KEYS)[number];

function addPermissions(merged: PermissionSettings, added: PermissionSettings): PermissionSettings {
  return {
    ...merged,
    ...added,
    allow: union(merged.allow, added.allow),
    ask: union(merged.ask, added.ask),
    deny: union(merged.deny, added.deny),
    additionalDirectories: union(merged.additionalDirectories, added.additionalDirectories),
  };
}

function union(before: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...before, ...added])];
}

/**
 * Adds a stronger layer's sandbox: single values are replaced, lists joined. An administrator can leave out the domains
 * and readable paths of all other files.
 */
export function mergeSandbox(
  before: SandboxSettings = NO_SANDBOX,
  added: SandboxSettings,
  layer: Pick<SettingsLayer, 'source' | 'file'>,
): SandboxSettings {
  const isManaged = layer.source === 'managed';
  const files = anchored(added, layer);
  const locksDomains = isManaged && added.network.allowManagedDomainsOnly === true;
  const locksReads = isManaged && files.allowManagedReadPathsOnly === true;
  return {
    ...before,
    ...added,
    excludedCommands: union(before.excludedCommands, added.excludedCommands),
    filesystem: {
      allowWrite: union(before.filesystem.allowWrite, files.allowWrite),
      denyWrite: union(before.filesystem.denyWrite, files.denyWrite),
      allowRead: union(locksReads ? [] : before.filesystem.allowRead, files.allowRead),
      denyRead: union(before.filesystem.denyRead, files.denyRead),
    },
    network: {
      ...before.network,
      ...added.network,
      allowedDomains: union(locksDomains ? [] : before.network.allowedDomains, added.network.allowedDomains),
      deniedDomains: union(before.network.deniedDomains, added.network.deniedDomains),
      allowUnixSockets: union(before.network.allowUnixSockets, added.network.allowUnixSockets),
    },
    secretFiles: union(before.secretFiles, added.secretFiles),
    secretVariables: union(before.secretVariables, added.secretVariables),
    withoutEffect: union(before.withoutEffect, added.withoutEffect),
  };
}

/** A relative path in the person's own file starts at that file's folder; in all others, at the project. */
function anchored({ filesystem }: SandboxSettings, { source, file }: Pick<SettingsLayer, 'source' | 'file'>) {
  if (source !== 'user') return filesystem;
  const base = dirname(file);
  const anchor = (paths: readonly string[]) => paths.map((path) => (/^[~/]/.test(path) ? path : resolve(base, path)));
  const { allowWrite, denyWrite, allowRead, denyRead } = filesystem;
  const lists = { allowWrite: anchor(allowWrite), denyWrite: anchor(denyWrite) };
  const anchoredFiles: SandboxFiles = { ...lists, allowRead: anchor(allowRead), denyRead: anchor(denyRead) };
  return { ...filesystem, ...anchoredFiles };
}
