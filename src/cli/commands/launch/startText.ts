import { remainingInWords } from '../../../budget/timeBudget.ts';
import type { StartFacts } from '../../../launch/launch.ts';
import type { LaunchRequest } from '../../../launch/launchRequest.ts';
import { armedInWords } from '../../../stop/armed.ts';
import { unprovable } from '../../../stop/ending.ts';

/** What a person wants to know before the agent says its first word, and what would else be found out too late. */
export function startText(request: LaunchRequest, { command, plan, armed, notes }: StartFacts): string {
  const { budgetSeconds, graceSeconds } = request;
  const landing = graceSeconds > 0 ? `, then ${remainingInWords(graceSeconds)} to land` : '';
  const until = `${remainingInWords(budgetSeconds)}, until ${timeOfDay(plan.endAt)}${landing}`;
  const proof = request.requireProof && armed.checks.length === 0 ? [unprovable(armed.ending)] : [];
  return [`${command.name} has ${until}.`, armedInWords(armed), ...proof, ...notes]
    .map((line) => `stopgate: ${line}\n`)
    .join('');
}

const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 8);
