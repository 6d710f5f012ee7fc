import path from 'node:path';
import type { HostPlaces, HostWiring } from '../host.ts';
import { type PluginForm, pluginIn } from '../plugin.ts';
import { userNote, userScope } from '../scopes.ts';

export const OPENCODE_PLUGIN: PluginForm = {
  host: 'opencode',
  source: 'opencode.js',
  exports: 'export const Stopgate = opencodePlugin(HOOKS, import.meta.url);',
  folder: (scope, world) =>
    path.join(scope === 'project' ? path.join(world.cwd, '.opencode') : opencodeHome(world), 'plugin'),
};

export const opencodeWiring: HostWiring = {
  files: async (wish) => [pluginIn(OPENCODE_PLUGIN, wish)],
  scope: userScope,
  whyOff: async (_folder, { env }) =>
    env.OPENCODE_PURE ? 'opencode will not load the plugin of Stopgate: OPENCODE_PURE is set; unset it.' : null,
  notes: async ({ scope }) => [
    scope === 'project'
      ? 'opencode loads this plugin for everyone who works in this folder; its paths are those of this machine, so do not commit it.'
      : userNote('opencode', 'this plugin is'),
    'opencode run rejects a permission that it would ask for, and the turn ends without a check: set `permission` in opencode.json, or pass --auto. Under --pure no plugin runs.',
  ],
};

export const opencodeHome = ({ homeDir, env }: HostPlaces): string =>
  path.join(env.XDG_CONFIG_HOME || path.join(homeDir, '.config'), 'opencode');
