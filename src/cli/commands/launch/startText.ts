import type { StartFacts } from '../../../launch/launch.ts';
import type { LaunchRequest } from '../../../launch/launchRequest.ts';
import { describeArmed } from '../../../stop/armed.ts';
import { unprovable } from '../../../stop/ending.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';

/** What a person wants to know before the agent says its first word, and what would else be found out too late. */
export function startText(request: LaunchRequest, { command, plan, armed, notes }: StartFacts): string {
  const { budgetSeconds, graceSeconds } = request;
  const landing = graceSeconds > 0 ? `, then ${formatSeconds(graceSeconds * 1000)} to land` : '';
  const until = `${formatSeconds(budgetSeconds * 1000)}, until ${timeOfDay(plan.endAt)}${landing}`;
  const proof = request.requireProof && armed.checks.length === 0 ? [unprovable(armed.ending)] : [];
  return [`${command.name} has ${until}.`, describeArmed(armed), ...proof, ...notes]
    .map((line) => `stopgate: ${line}\n`)
    .join('');
}

const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 8);
