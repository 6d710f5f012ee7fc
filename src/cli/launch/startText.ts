import type { LaunchPlan } from '../../budget/launchPlan.ts';
import { remainingInWords } from '../../budget/timeBudget.ts';
import type { AgentCommand } from './agentCommand.ts';
import type { LaunchRequest } from './launchRequest.ts';

export interface StartFacts {
  readonly command: AgentCommand;
  readonly request: LaunchRequest;
  readonly plan: LaunchPlan;
  readonly notes: readonly string[];
}

/** What a person wants to know before the agent says its first word, and what would else be found out too late. */
export function startText({ command, request, plan, notes }: StartFacts): string {
  const { budgetSeconds, graceSeconds } = request;
  const landing = graceSeconds > 0 ? `, then ${remainingInWords(graceSeconds)} to land` : '';
  const until = `${remainingInWords(budgetSeconds)}, until ${timeOfDay(plan.endAt)}${landing}`;
  return [`${command.name} has ${until}.`, ...notes].map((line) => `stopgate: ${line}\n`).join('');
}

const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 8);
