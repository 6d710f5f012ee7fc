import { mergeSettings } from './mergeSettings.ts';
import { type HookSource, SETTINGS_SOURCES, type SettingsLayer } from './types.ts';

/**
 * Whose hooks may run, after `disableAllHooks` and `allowManagedHooksOnly`. A person can switch off everybody's hooks
 * but the administrator's; the administrator can switch off all of them.
 */
export function activeHookSources(layers: readonly SettingsLayer[]): readonly HookSource[] {
  const merged = mergeSettings(layers);
  const switchedOffBy = merged.disableAllHooks === true ? strongestSwitch(layers) : undefined;
  if (switchedOffBy === 'managed') return [];
  if (switchedOffBy === undefined && merged.allowManagedHooksOnly !== true) return merged.hooks;
  return merged.hooks.filter((hook) => hook.source === 'managed');
}

function strongestSwitch(layers: readonly SettingsLayer[]): SettingsLayer['source'] | undefined {
  return SETTINGS_SOURCES.findLast((source) =>
    layers.some((layer) => layer.source === source && layer.settings.disableAllHooks !== undefined),
  );
}
