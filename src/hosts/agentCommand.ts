import { UserError } from '../system/userError.ts';
import { agentNamed } from './all.ts';
import type { AgentCommand, AgentRequest, Host } from './host.ts';

/** How to start the agent that `--agent` names. Throws a `UserError` for flags that cannot be combined. */
export async function agentCommand(request: AgentRequest, hosts?: readonly Host[]): Promise<AgentCommand> {
  const { agent, interactive, requireSandbox, tokenBudget, maxBudgetUsd } = request;
  if (interactive && (tokenBudget !== undefined || maxBudgetUsd !== undefined)) {
    throw new UserError(
      '--token-budget and --max-budget-usd need a headless agent, whose spending can be read; remove --interactive.',
    );
  }
  const host = await agentNamed(agent, hosts).load();
  if (requireSandbox && !host.isOwn) {
    throw new UserError(
      `--require-sandbox works with --agent stopgate; ${agent} has its own sandbox settings, such as sandbox.failIfUnavailable.`,
    );
  }
  return host.command(request);
}
