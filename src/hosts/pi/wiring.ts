import path from 'node:path';
import type { World } from '../../system/world.ts';
import type { FilesWish, HostWiring, WiredFile } from '../host.ts';
import { pluginEntries } from '../pluginEntries.ts';
import { type PluginForm, pluginFile } from '../pluginFile.ts';

export const PI_EXTENSION: PluginForm = {
  source: 'pi.js',
  exports: 'export default piExtension(HOOKS, import.meta.url);',
};

export const piWiring: HostWiring = {
  files: async (wish) => [fileOf(wish)],
  // it has no settings of one person in one folder
  scope: (asked) => (asked === 'local' ? 'user' : asked),
  whyOff: async () => null,
  notes: async ({ scope }) => [
    scope === 'project'
      ? 'pi loads extensions of a folder only when it trusts the folder, and headless it skips them without a word: start pi in it once and trust it, pass --approve, or use --scope user. The paths in the file are those of this machine, so do not commit it.'
      : 'pi has no settings for you in this folder alone: this extension is for all your folders, and checks run where a stopgate.config.json is trusted.',
  ],
};

function fileOf({ scope, features, paths, world }: FilesWish): WiredFile {
  const isProject = scope === 'project';
  const folder = isProject ? path.join(world.cwd, '.pi') : piHome(world);
  return {
    file: path.join(folder, 'extensions', 'stopgate.js'),
    within: isProject ? world.cwd : undefined,
    format: pluginFile(PI_EXTENSION, paths.packageRoot),
    entries: pluginEntries('pi', features, paths),
  };
}

const piHome = ({ homeDir, env }: Pick<World, 'homeDir' | 'env'>): string =>
  env.PI_CODING_AGENT_DIR || path.join(homeDir, '.pi', 'agent');
