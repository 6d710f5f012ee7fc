import { ownValue } from '../system/ownValue.ts';
import { builtInNamed, type Rule } from './parseRule.ts';
import type { PermissionFacts, PermissionRequest } from './types.ts';

/** The rule that speaks for every tool of a kind, besides the one on the tool's own name. */
export const KIND_NAMES: Readonly<Record<PermissionRequest['type'], string | undefined>> = {
  read: 'Read',
  edit: 'Edit',
  command: 'Bash',
  free: undefined,
  other: undefined,
};

/** Former names that settings files still use. */
export const FORMER_NAMES: Readonly<Record<string, string>> = { Task: 'Agent' };

/** Whether a rule is about this tool. A rule that forbids (`strict`) is also about it when only its case is wrong. */
export function toolMatches(rule: Rule, call: Pick<PermissionFacts, 'toolName' | 'request'>, strict: boolean): boolean {
  const name = (strict && builtInNamed(rule.toolName)) || rule.toolName;
  if (name === call.toolName || name === KIND_NAMES[call.request.type]) return true;
  if (ownValue(FORMER_NAMES, name) === call.toolName) return true;
  if (name.startsWith('mcp__')) return mcpMatches(name, call.toolName);
  return strict && name === '*';
}

/** Whether a name in a list of tools stands for this one: its own, or its MCP server's. */
export function namesTool(name: string, toolName: string): boolean {
  return name === toolName || (name.startsWith('mcp__') && mcpMatches(name, toolName));
}

/** `mcp__server` and `mcp__server__*` are all tools of a server. */
function mcpMatches(name: string, toolName: string): boolean {
  if (name.endsWith('*')) return toolName.startsWith(name.slice(0, -1));
  return !name.slice('mcp__'.length).includes('__') && toolName.startsWith(`${name}__`);
}
