import { describe, expect, it } from 'vitest';
import { NO_PERMISSIONS, NO_SETTINGS, type Settings } from '../../schemas/settings.ts';
import { mergeSettings } from './mergeSettings.ts';
import { SETTINGS_SOURCES, type SettingsLayer, type SettingsSource } from './types.ts';

function layer(source: SettingsSource, settings: Partial<Settings>): SettingsLayer {
  return { source, file: `/${source}.json`, text: '', settings: { ...NO_SETTINGS, ...settings } };
}

describe('mergeSettings', () => {
  it('gives a single value to the strongest level that has it, whatever the order', () => {
    for (const [index, strongest] of SETTINGS_SOURCES.entries()) {
      const layers = SETTINGS_SOURCES.slice(0, index + 1).map((source) => layer(source, { model: source }));
      expect(mergeSettings(layers).model).toBe(strongest);
      expect(mergeSettings(layers.toReversed()).model).toBe(strongest);
    }
  });

  it('joins rules and folders of all levels without repeats', () => {
    const merged = mergeSettings([
      layer('project', { permissions: { ...NO_PERMISSIONS, deny: ['B', 'A'], defaultMode: 'plan' } }),
      layer('user', { permissions: { ...NO_PERMISSIONS, deny: ['A'], allow: ['X'], defaultMode: 'default' } }),
      layer('managed', { permissions: { ...NO_PERMISSIONS, disableBypassPermissionsMode: 'disable' } }),
    ]);
    expect(merged.permissions).toEqual({
      allow: ['X'],
      ask: [],
      deny: ['A', 'B'],
      additionalDirectories: [],
      defaultMode: 'plan',
      disableBypassPermissionsMode: 'disable',
    });
  });

  it('joins variables by name', () => {
    const merged = mergeSettings([layer('user', { env: { A: '1', B: '1' } }), layer('local', { env: { B: '2' } })]);
    expect(merged.env).toEqual({ A: '1', B: '2' });
  });

  it('keeps hooks apart by the file they came from', () => {
    const merged = mergeSettings([
      layer('local', { hooks: { b: 2 } }),
      layer('user', { hooks: { a: 1 } }),
      layer('flag', {}),
    ]);
    expect(merged.hooks).toEqual([
      { source: 'user', file: '/user.json', hooks: { a: 1 }, text: '' },
      { source: 'local', file: '/local.json', hooks: { b: 2 }, text: '' },
    ]);
  });

  it('distinguishes an absent list from an empty one', () => {
    expect(mergeSettings([layer('user', {})]).allowedHttpHookUrls).toBeUndefined();
    expect(mergeSettings([layer('user', { allowedHttpHookUrls: [] })]).allowedHttpHookUrls).toEqual([]);
    const both = [layer('user', { allowedHttpHookUrls: ['a'] }), layer('local', { allowedHttpHookUrls: ['b'] })];
    expect(mergeSettings(both).allowedHttpHookUrls).toEqual(['a', 'b']);
  });

  it('lets only managed settings lock hooks', () => {
    expect(mergeSettings([layer('flag', { allowManagedHooksOnly: true })]).allowManagedHooksOnly).toBeUndefined();
    expect(mergeSettings([layer('managed', { allowManagedHooksOnly: true })]).allowManagedHooksOnly).toBe(true);
  });
});
