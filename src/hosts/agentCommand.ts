import { findProgram } from '../system/findProgram.ts';
import { nearestName } from '../system/nearestName.ts';
import { UserError } from '../system/userError.ts';
import { agentNamed, agentNames } from './all.ts';
import type { AgentCommand, AgentRequest, Host } from './host.ts';

/** How to start the agent that `--agent` names. Throws a `UserError` for flags that cannot be combined. */
export async function agentCommand(request: AgentRequest, hosts?: readonly Host[]): Promise<AgentCommand> {
  const { agent, interactive, requireSandbox, tokenBudget, maxBudgetUsd } = request;
  if (interactive && (tokenBudget !== undefined || maxBudgetUsd !== undefined)) {
    throw new UserError(
      '--token-budget and --max-budget-usd need a headless agent, whose spending can be read; remove --interactive.',
    );
  }
  const { flag, load } = agentNamed(agent, hosts);
  if (flag === '') refuseMistyped(request);
  const host = await load();
  if (requireSandbox && !host.isOwn) {
    throw new UserError(
      `--require-sandbox works with --agent stopgate; ${agent} has its own sandbox settings, such as sandbox.failIfUnavailable.`,
    );
  }
  return host.command(request);
}

/** A program of this name would be started; without one, a name that is nearly an agent's was probably meant as that. */
function refuseMistyped({ agent, env }: AgentRequest): void {
  const meant = nearestName(agent, agentNames().split(', '));
  if (meant === undefined || agent.includes('/') || findProgram(agent, '/', env.PATH)) return;
  throw new UserError(
    `--agent ${agent} is not an agent that Stopgate knows, nor a program on the PATH; did you mean ${meant}?`,
  );
}
