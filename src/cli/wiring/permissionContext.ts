import path from 'node:path';
import type { PermissionContext } from '../../query/toolUseContext.ts';
import { splitToolList } from '../../session/permissions/splitToolList.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import type { Tool } from '../../tools/tool.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';

/** Rules and mode from settings and flags; flags add to what files say, and a flag's mode wins. */
export function permissionContext(flags: PromptFlags, settings: LoadedSettings, world: World): PermissionContext {
  const { permissions } = settings.merged;
  const mode = flags.permissionMode ?? permissions.defaultMode ?? 'default';
  if (mode === 'bypassPermissions' && permissions.disableBypassPermissionsMode) {
    throw new UserError(
      'The settings forbid bypassPermissions (permissions.disableBypassPermissionsMode); choose another --permission-mode.',
    );
  }
  return {
    mode,
    rules: {
      allow: [...permissions.allow, ...flags.allowedTools.flatMap(splitToolList)],
      ask: permissions.ask,
      deny: [...permissions.deny, ...flags.disallowedTools.flatMap(splitToolList)],
    },
    additionalDirectories: [...permissions.additionalDirectories, ...flags.addDir].map((directory) =>
      path.resolve(world.cwd, directory.replace(/^~(?=\/|$)/, world.homeDir)),
    ),
    homeDir: world.homeDir,
  };
}

/** A tool that is denied by its bare name is not even offered: a model cannot call what it does not see. */
export function offeredTools(tools: readonly Tool[], deny: readonly string[]): readonly Tool[] {
  return tools.filter(({ name }) => !deny.includes(name));
}
