import { NO_PERMISSIONS, type PermissionSettings, type Settings } from '../../schemas/settings.ts';
import { mergeSandbox } from './mergeSandbox.ts';
import { type MergedSettings, SETTINGS_SOURCES, type SettingsLayer } from './types.ts';

/**
 * One view of all layers: single values go to the strongest level that has them, lists and hooks of all levels hold
 * together. Layers of one level keep the order they were given in, a later one stronger.
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
    // Only an administrator may lock everybody's hooks out.
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
