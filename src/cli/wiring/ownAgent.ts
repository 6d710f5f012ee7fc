import { namesTool } from '../../permissions/toolMatches.ts';
import { findSubagentType, type SubagentType } from '../../query/subagent/subagentTypes.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import { asSentence } from '../../system/sentence.ts';
import { UserError } from '../../system/userError.ts';
import type { Tool } from '../../tools/tool.ts';

export interface OwnAgent {
  readonly name: string;
  readonly kind: SubagentType;
}

/** The kind of agent that `--agent` or the setting `agent` names; throws for an unknown one. */
export function ownAgent(wanted: unknown, defined: readonly AgentDefinition[]): OwnAgent | undefined {
  if (typeof wanted !== 'string' || wanted.trim() === '') return undefined;
  const found = findSubagentType(wanted, defined);
  if (found.type === 'found') return { name: found.name, kind: found.kind };
  throw new UserError(asSentence(`--agent: ${found.message}`), 1);
}

/** The tools of the session's own kind of agent. Unlike a subagent it may start subagents. */
export function ownTools(tools: readonly Tool[], own: OwnAgent | undefined): readonly Tool[] {
  const { tools: only, disallowedTools = [] } = own?.kind ?? {};
  const isIn = (list: readonly string[], name: string) =>
    list.some((one) => namesTool(one === 'Task' ? 'Agent' : one, name));
  return tools.filter(({ name }) => (only === undefined || isIn(only, name)) && !isIn(disallowedTools, name));
}
