import path from 'node:path';
import type { World } from '../../system/world.ts';
import type { FilesWish, HostWiring, WiredFile } from '../host.ts';
import { pluginEntries } from '../pluginEntries.ts';
import { type PluginForm, pluginFile } from '../pluginFile.ts';

export const OPENCODE_PLUGIN: PluginForm = {
  source: 'opencode.js',
  exports: 'export const Stopgate = opencodePlugin(HOOKS, import.meta.url);',
};

export const opencodeWiring: HostWiring = {
  files: async (wish) => [fileOf(wish)],
  // it has no settings of one person in one folder
  scope: (asked) => (asked === 'local' ? 'user' : asked),
  whyOff: async (_folder, { env }) =>
    env.OPENCODE_PURE ? 'opencode will not load the plugin of Stopgate: OPENCODE_PURE is set; unset it.' : null,
  notes: async ({ scope }) => [
    scope === 'project'
      ? 'opencode loads this plugin for everyone who works in this folder; its paths are those of this machine, so do not commit it.'
      : 'opencode has no settings for you in this folder alone: this plugin is for all your folders, and checks run where a stopgate.config.json is trusted.',
    'opencode run rejects a permission that it would ask for, and the turn ends without a check: set `permission` in opencode.json, or pass --auto. Under --pure no plugin runs.',
  ],
};

function fileOf({ scope, features, paths, world }: FilesWish): WiredFile {
  const isProject = scope === 'project';
  const folder = isProject ? path.join(world.cwd, '.opencode') : opencodeHome(world);
  return {
    file: path.join(folder, 'plugin', 'stopgate.js'),
    within: isProject ? world.cwd : undefined,
    format: pluginFile(OPENCODE_PLUGIN, paths.packageRoot),
    entries: pluginEntries('opencode', features, paths),
  };
}

export const opencodeHome = ({ homeDir, env }: Pick<World, 'homeDir' | 'env'>): string =>
  path.join(env.XDG_CONFIG_HOME || path.join(homeDir, '.config'), 'opencode');
