import { existsSync } from 'node:fs';
import path from 'node:path';
import { choosePermissionMode } from '../../permissions/choosePermissionMode.ts';
import { parseRule } from '../../permissions/parseRule.ts';
import { resolveDirectories } from '../../permissions/resolveForPermission.ts';
import { splitToolList } from '../../permissions/splitToolList.ts';
import { namesTool } from '../../permissions/toolMatches.ts';
import type { PermissionRules } from '../../permissions/types.ts';
import type { PermissionContext } from '../../query/toolUseContext.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import type { World } from '../../system/world.ts';
import { allTools } from '../../tools/allTools.ts';
import type { Tool } from '../../tools/tool.ts';
import { chosenTools } from './chosenTools.ts';
import type { PromptFlags } from './promptFlags.ts';

export interface Permissions {
  readonly context: PermissionContext;
  /** The only tools to offer, from `--tools`; undefined for all. */
  readonly toolNames: readonly string[] | undefined;
  /** Rules that are none, and a mode that was asked for but may not be had. */
  readonly problems: readonly string[];
}

const TOOL_NAMES = allTools().map(({ name }) => name);

/** Rules and mode from settings and flags; flags add to what files say, and a flag's mode wins. */
export async function gatherPermissions(
  flags: PromptFlags,
  settings: LoadedSettings,
  world: World,
): Promise<Permissions> {
  const { permissions } = settings.merged;
  const chosen = choosePermissionMode({
    ...(flags.permissionMode ? { asked: flags.permissionMode } : {}),
    ...(permissions.defaultMode ? { defaultMode: permissions.defaultMode } : {}),
    ...(permissions.disableBypassPermissionsMode ? { disableBypassPermissionsMode: 'disable' } : {}),
  });
  const flagRules = {
    allow: flags.allowedTools.flatMap(splitToolList),
    deny: flags.disallowedTools.flatMap(splitToolList),
  };
  const tools = chosenTools(flags.tools, TOOL_NAMES);
  const directories = [...permissions.additionalDirectories, ...flags.addDir].map((directory) =>
    path.resolve(world.cwd, directory.replace(/^~(?=\/|$)/, world.homeDir)),
  );
  const rules: PermissionRules = {
    allow: [...permissions.allow, ...flagRules.allow],
    ask: permissions.ask,
    deny: [...permissions.deny, ...flagRules.deny],
  };
  return {
    context: {
      mode: chosen.mode,
      rules,
      additionalDirectories: await resolveDirectories(directories),
      homeDir: world.homeDir,
    },
    toolNames: tools.names,
    problems: [
      ...tools.warnings,
      ...(chosen.problem ? [chosen.problem] : []),
      ...ruleProblems(flagRules),
      ...directories
        .filter((one) => !existsSync(one))
        .map((one) => `${one} does not exist, so adding it changes nothing.`),
    ],
  };
}

/** Files' rules were checked when they were read, with their place; these came with flags. */
function ruleProblems(rules: Pick<PermissionRules, 'allow' | 'deny'>): string[] {
  return Object.values(rules)
    .flat()
    .flatMap((text: string) => parseRule(text).problem ?? []);
}

/**
 * A tool that is denied by its bare name, or that `--tools` leaves out, is not even offered: a model cannot call what it
 * does not see.
 */
export function offeredTools(
  tools: readonly Tool[],
  deny: readonly string[],
  only: readonly string[] | undefined,
): readonly Tool[] {
  // as in Claude Code, `--tools` is about the built-in ones
  const isChosen = ({ name, mcpServer }: Tool) => only === undefined || mcpServer !== undefined || only.includes(name);
  return tools.filter((tool) => !deny.some((rule) => namesTool(rule, tool.name)) && isChosen(tool));
}
