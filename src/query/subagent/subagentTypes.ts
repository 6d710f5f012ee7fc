import { namesTool } from '../../permissions/toolMatches.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { Tool } from '../../tools/tool.ts';

export type SubagentType = Omit<AgentDefinition, 'name' | 'hooks'>;

const REPORT = 'Your last message is all that the agent who asked will see: put the whole result in it.';
const GENERAL = `You are a subagent: another agent gave you one task. Do it completely, then stop. ${REPORT}`;
const READING = ['Read', 'Glob', 'Grep', 'Bash'];

/** What kinds of subagent there are. One row each; the Agent tool's description lists them. */
const SUBAGENT_TYPES: Readonly<Record<string, SubagentType>> = {
  'general-purpose': {
    description: 'Works on a task of several steps with all tools.',
    prompt: GENERAL,
  },
  Explore: {
    description: 'Looks through the code without changing anything and reports what it found.',
    prompt: `You are a subagent that explores: find what was asked for by reading and searching, and change nothing. Name files and lines. ${REPORT}`,
    tools: READING,
  },
  Plan: {
    description: 'Reads the code and plans a change without making it.',
    prompt: `You are a subagent that plans: read what the task touches, change nothing, and describe the steps, the files and the risks. ${REPORT}`,
    tools: READING,
  },
  claude: {
    description: 'Works on any task that fits no other kind, with all tools.',
    prompt: GENERAL,
  },
};

export type FoundSubagentType =
  | { readonly type: 'found'; readonly name: string; readonly kind: SubagentType }
  | { readonly type: 'unknown'; readonly message: string };

/** Finds a kind as Claude Code does: case does not count, and blanks and underscores are hyphens. */
export function findSubagentType(wanted: string, defined: readonly AgentDefinition[]): FoundSubagentType {
  const names = subagentNames(defined);
  const name = names.find((one) => one === wanted) ?? names.find((one) => plain(one) === plain(wanted));
  // the person's and the project's definitions replace built-in ones
  const kind =
    name === undefined ? undefined : (defined.find((one) => one.name === name) ?? ownValue(SUBAGENT_TYPES, name));
  if (name !== undefined && kind) return { type: 'found', name, kind };
  return { type: 'unknown', message: `Agent type '${wanted}' not found. Available agents: ${names.join(', ')}` };
}

/** The names of all kinds, sorted without regard to case. No `localeCompare`: its tables take 5ms to load. */
export function subagentNames(defined: readonly AgentDefinition[]): readonly string[] {
  const names = new Set([...Object.keys(SUBAGENT_TYPES), ...defined.map(({ name }) => name)]);
  return [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
}

/** A subagent cannot start subagents: delegation has one level, so a turn's cost has a bound one can see. */
export function subagentTools(parentTools: readonly Tool[], type: SubagentType): readonly Tool[] {
  const { tools, disallowedTools = [] } = type;
  const isIn = (list: readonly string[], name: string) => list.some((one) => namesTool(one, name));
  return parentTools.filter(
    ({ name }) => name !== 'Agent' && (tools === undefined || isIn(tools, name)) && !isIn(disallowedTools, name),
  );
}

/** Each subagent has as many requests as its parent was given, or fewer; a definition cannot give itself more. */
export function subagentMaxTurns(parentMaxTurns: number | undefined, { maxTurns }: SubagentType): number | undefined {
  const limits = [parentMaxTurns, maxTurns].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
