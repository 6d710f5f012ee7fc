import { UserError } from '../system/userError.ts';
import { agentNamed } from './all.ts';
import type { AgentCommand, AgentRequest } from './host.ts';

/** How the agent that `--agent` names is started. Throws a `UserError` for flags that do not go together. */
export async function agentCommand(request: AgentRequest): Promise<AgentCommand> {
  const { agent, interactive, requireSandbox, tokenBudget, maxBudgetUsd } = request;
  if (interactive && (tokenBudget !== undefined || maxBudgetUsd !== undefined)) {
    throw new UserError(
      '--token-budget and --max-budget-usd need a headless agent, whose spend can be read; leave --interactive out.',
    );
  }
  const host = await agentNamed(agent).load();
  if (requireSandbox && !host.isOwn) {
    throw new UserError(
      `--require-sandbox works with --agent stopgate; ${agent} has its own settings for a sandbox, such as sandbox.failIfUnavailable.`,
    );
  }
  return host.command(request);
}
