import path from 'node:path';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import type { World } from '../../system/world.ts';
import type { FilesWish, HostWiring, SettingsScope } from '../host.ts';
import { jsonHooks } from '../settings/jsonHooks.ts';
import { hookEntries } from './entries.ts';
import { whyHooksAreOff } from './whyHooksAreOff.ts';

/** Measured on 2.1.325: a file with a comment or a trailing comma is ignored as a whole, without a message; a BOM is skipped. */
export const CLAUDE_SETTINGS = jsonHooks({
  hook: ({ command, timeout, statusMessage }) => definedOnly({ type: 'command', command, timeout, statusMessage }),
  comments: 'Claude Code ignores a file that is not plain JSON',
});

export const claudeWiring: HostWiring = {
  files: async ({ scope, features, paths, world }) => [
    {
      file: scopeFile(scope, world),
      within: scope === 'user' ? undefined : world.cwd,
      format: CLAUDE_SETTINGS,
      entries: hookEntries(features, paths),
    },
  ],
  scope: (asked) => asked,
  whyOff: whyHooksAreOff,
  notes: async (_wish: FilesWish) => [],
};

function scopeFile(scope: SettingsScope, world: Pick<World, 'cwd' | 'homeDir' | 'env'>): string {
  const folder = scope === 'user' ? claudeConfigDir(world) : path.join(world.cwd, '.claude');
  return path.join(folder, scope === 'local' ? 'settings.local.json' : 'settings.json');
}
