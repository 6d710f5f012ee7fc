import type { Tool } from '../tools/tool.ts';

export interface SubagentType {
  readonly description: string;
  readonly prompt: string;
  /** Names of the tools it may use; undefined for all its parent has. */
  readonly tools?: readonly string[];
}

const REPORT = 'Your last message is all that the agent who asked will see: put the whole result in it.';

/** What kinds of subagent there are. One row each; the Agent tool's description lists them. */
export const SUBAGENT_TYPES: Readonly<Record<string, SubagentType>> = {
  'general-purpose': {
    description: 'Works on a task of several steps with all tools.',
    prompt: `You are a subagent: another agent gave you one task. Do it completely, then stop. ${REPORT}`,
  },
  Explore: {
    description: 'Looks through the code without changing anything and reports what it found.',
    prompt: `You are a subagent that explores: find what was asked for by reading and searching, and change nothing. Name files and lines. ${REPORT}`,
    tools: ['Read', 'Glob', 'Grep'],
  },
};

const FALLBACK: SubagentType = SUBAGENT_TYPES['general-purpose'] as SubagentType;

/** An unknown type works like the general one: its name still reaches hooks, which match on it. */
export function subagentType(name: string): SubagentType {
  return SUBAGENT_TYPES[name] ?? FALLBACK;
}

/** A subagent cannot start subagents: delegation has one level, so a turn's cost has a bound one can see. */
export function subagentTools(parentTools: readonly Tool[], type: SubagentType): readonly Tool[] {
  return parentTools.filter(({ name }) => name !== 'Agent' && (type.tools === undefined || type.tools.includes(name)));
}
