import type { PromptParams } from '../../query/prompt/submitPrompt.ts';
import { agentsText } from '../../session/agents/loadAgents.ts';
import { instructionsText } from '../../session/instructions/instructionFile.ts';
import { systemPrompt } from '../../session/systemPrompt.ts';
import { wallNow } from '../../system/clock.ts';
import type { World } from '../../system/world.ts';
import type { GatheredSession } from './gatherSession.ts';
import type { McpTools } from './mcp/openMcpTools.ts';
import type { PromptFlags } from './promptFlags.ts';

export function sessionPrompts(
  flags: PromptFlags,
  gathered: GatheredSession,
  world: World,
  { instructions: ofServers }: McpTools,
): Pick<PromptParams, 'systemPrompt' | 'userContext' | 'systemContext'> {
  const { git, model, instructions, background, agents, sandbox } = gathered;
  const { systemPrompt: own, appendSystemPrompt: appended } = flags;
  const facts = { cwd: world.cwd, isGitRepository: git.isRepository, platform: process.platform, modelId: model.id };
  return {
    systemPrompt: own
      ? [own, ...(appended ? [appended] : [])]
      : systemPrompt(facts, appended, gathered.ownAgent?.kind.prompt),
    userContext: {
      'Project instructions': instructionsText(instructions),
      Agents: agentsText(agents),
      Memory: background.memory,
      Today: new Date(wallNow(world.clock)).toISOString().slice(0, 10),
    },
    systemContext: {
      ...(git.status ? { 'Git status': git.status } : {}),
      ...(ofServers ? { 'MCP server instructions': ofServers } : {}),
      ...(sandbox ? { Sandbox: sandbox.description } : {}),
    },
  };
}
