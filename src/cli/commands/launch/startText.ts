import type { LaunchPlan } from '../../../budget/launchPlan.ts';
import { remainingInWords } from '../../../budget/timeBudget.ts';
import type { AgentCommand } from '../../../hosts/agentCommand.ts';
import { type Armed, armedInWords } from '../../../stop/armed.ts';
import { unprovable } from '../prompt/ending.ts';
import type { LaunchRequest } from './launchRequest.ts';

export interface StartFacts {
  readonly command: AgentCommand;
  readonly request: LaunchRequest;
  readonly plan: LaunchPlan;
  readonly armed: Armed;
  readonly notes: readonly string[];
}

/** What a person wants to know before the agent says its first word, and what would else be found out too late. */
export function startText({ command, request, plan, armed, notes }: StartFacts): string {
  const { budgetSeconds, graceSeconds } = request;
  const landing = graceSeconds > 0 ? `, then ${remainingInWords(graceSeconds)} to land` : '';
  const until = `${remainingInWords(budgetSeconds)}, until ${timeOfDay(plan.endAt)}${landing}`;
  const proof = request.requireProof && armed.checks.length === 0 ? [unprovable(armed.ending)] : [];
  return [`${command.name} has ${until}.`, armedInWords(armed), ...proof, ...notes]
    .map((line) => `stopgate: ${line}\n`)
    .join('');
}

const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 8);
