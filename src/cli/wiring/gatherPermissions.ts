import { existsSync } from 'node:fs';
import path from 'node:path';
import { choosePermissionMode } from '../../permissions/choosePermissionMode.ts';
import { resolveDirectories } from '../../permissions/makeRealPath.ts';
import { parseRule } from '../../permissions/parseRule.ts';
import { splitToolList } from '../../permissions/splitToolList.ts';
import { namesTool } from '../../permissions/toolMatches.ts';
import type { PermissionRules } from '../../permissions/types.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import type { World } from '../../system/world.ts';
import { allTools } from '../../tools/allTools.ts';
import type { Tool } from '../../tools/tool.ts';
import type { PromptFlags } from './promptFlags.ts';

const TOOL_NAMES = allTools().map(({ name }) => name);

/** Rules and mode from settings and flags; flags add rules, and a flag's mode wins. */
export async function gatherPermissions(flags: PromptFlags, settings: LoadedSettings, world: World) {
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
  const additionalDirectories = resolveDirectories(directories);
  return {
    context: { mode: chosen.mode, rules, additionalDirectories, homeDir: world.homeDir },
    toolNames: tools.names,
    problems: [
      ...tools.warnings,
      ...(chosen.problem ? [chosen.problem] : []),
      // the rules of files were checked when they were read
      ...[...flagRules.allow, ...flagRules.deny].flatMap((text) => parseRule(text).problem ?? []),
      ...directories
        .filter((one) => !existsSync(one))
        .map((one) => `${one} does not exist, so adding it has no effect.`),
    ],
  };
}

/** Tools that are denied by their bare name or excluded by `--tools` are not offered to the model. */
export function offeredTools(
  tools: readonly Tool[],
  deny: readonly string[],
  only: readonly string[] | undefined,
): readonly Tool[] {
  // as in Claude Code, `--tools` applies to built-in tools only
  const isChosen = ({ name, mcpServer }: Tool) => only === undefined || mcpServer !== undefined || only.includes(name);
  return tools.filter((tool) => !deny.some((rule) => namesTool(rule, tool.name)) && isChosen(tool));
}

/** `--tools`: names of tools, "" for none, `default` for all. Unknown names are skipped with a warning. */
export function chosenTools(flag: readonly string[] | undefined, known: readonly string[]) {
  const names = (flag ?? ['default']).flatMap(splitToolList).map((name) => (name === 'Task' ? 'Agent' : name));
  if (names.length === 1 && names[0] === 'default') return { names: undefined, warnings: [] };
  const unknown = names.filter((name) => !known.includes(name));
  const list = known.join(', ');
  return {
    names: names.filter((name) => known.includes(name)),
    warnings: unknown.map((name) => `--tools: unknown tool ${JSON.stringify(name)}; the tools are ${list}.`),
  };
}
