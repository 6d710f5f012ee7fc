import path from 'node:path';
import type { HostWiring } from '../host.ts';
import { type PluginForm, pluginIn } from '../plugin.ts';
import { userNote, userScope } from '../scopes.ts';

export const PI_EXTENSION: PluginForm = {
  host: 'pi',
  source: 'pi.js',
  exports: 'export default piExtension(HOOKS, import.meta.url);',
  folder: (scope, { cwd, homeDir, env }) => {
    const home = env.PI_CODING_AGENT_DIR || path.join(homeDir, '.pi', 'agent');
    return path.join(scope === 'project' ? path.join(cwd, '.pi') : home, 'extensions');
  },
};

export const piWiring: HostWiring = {
  files: async (wish) => [pluginIn(PI_EXTENSION, wish)],
  scope: userScope,
  whyOff: async () => null,
  notes: async ({ scope }) => [
    scope === 'project'
      ? 'pi loads extensions of a folder only when it trusts the folder, and headless it skips them without a word: start pi in it once and trust it, pass --approve, or use --scope user. The paths in the file are those of this machine, so do not commit it.'
      : userNote('pi', 'this extension is'),
  ],
};
