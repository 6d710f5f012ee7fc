import { dirname, resolve } from 'node:path';
import { isObject } from '../../schemas/jsonValue.ts';
import { NO_SANDBOX, type SandboxFiles, type SandboxSettings } from '../../schemas/sandboxSettings.ts';
import { NO_PERMISSIONS } from '../../schemas/settings.ts';
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
  const { hooks, allowManagedHooksOnly, sandbox, other, ...settings } = layer.settings;
  const { source, file, text } = layer;
  return {
    ...joined(merged, settings),
    // only an administrator may lock out the hooks of others
    ...(source === 'managed' && allowManagedHooksOnly !== undefined ? { allowManagedHooksOnly } : {}),
    ...(sandbox && { sandbox: mergeSandbox(merged.sandbox, sandbox, layer) }),
    other: { ...merged.other, ...other },
    hooks: hooks === undefined ? merged.hooks : [...merged.hooks, { source, file, hooks, text }],
  };
}

/** Single values are replaced, lists joined, and objects joined key by key. */
function joined<Fields extends object>(before: Fields, added: Partial<Fields>): Fields {
  const entries = Object.entries<unknown>(added).map(([key, value]) => {
    const earlier: unknown = before[key as keyof Fields];
    if (Array.isArray(earlier) && Array.isArray(value)) return [key, [...new Set([...earlier, ...value])]];
    return [key, isObject(earlier) && isObject(value) ? joined(earlier, value) : value];
  });
  return { ...before, ...Object.fromEntries(entries) };
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
  const filesystem = anchored(added.filesystem, layer);
  const locksReads = isManaged && filesystem.allowManagedReadPathsOnly === true;
  const locksDomains = isManaged && added.network.allowManagedDomainsOnly === true;
  const kept = {
    ...before,
    filesystem: { ...before.filesystem, ...(locksReads && { allowRead: [] }) },
    network: { ...before.network, ...(locksDomains && { allowedDomains: [] }) },
  };
  return joined(kept, { ...added, filesystem });
}

/** A relative path in the person's own file starts at that file's folder; in all others, at the project. */
function anchored(files: SandboxFiles, { source, file }: Pick<SettingsLayer, 'source' | 'file'>): SandboxFiles {
  if (source !== 'user') return files;
  const anchor = (path: string) => (/^[~/]/.test(path) ? path : resolve(dirname(file), path));
  const { allowWrite, denyWrite, allowRead, denyRead, ...flags } = files;
  return {
    ...flags,
    allowWrite: allowWrite.map(anchor),
    denyWrite: denyWrite.map(anchor),
    allowRead: allowRead.map(anchor),
    denyRead: denyRead.map(anchor),
  };
}
