import type { Spend } from '../../../hosts/host.ts';
import { countText, type KeptWork } from '../../../launch/keepWork.ts';
import type { StartFacts } from '../../../launch/launch.ts';
import type { LaunchReport } from '../../../launch/launchReport.ts';
import type { LaunchRequest } from '../../../launch/launchRequest.ts';
import { describeArmed } from '../../../stop/armed.ts';
import { NOT_PROVEN_EXIT, unprovable } from '../../../stop/ending.ts';
import { formatDuration, formatSeconds } from '../../../system/formatDuration.ts';
import { formatTokens } from '../../../system/formatTokens.ts';
import type { Paint } from '../../output/colors.ts';
import { ENDING_OUTCOMES, paintedOutcome } from '../../output/outcomes.ts';

/** Printed before the agent starts: its time, the armed checks, and what would otherwise be noticed too late. */
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

export function reportText(report: LaunchReport, paint: Paint): string {
  const { how, why, usedMs, budgetMs, spend, notes } = report;
  const lines = [
    `${paint(isGood(report) ? 'green' : 'yellow', `${report.agent} ${OUTCOMES[how]}`)}: ${why}${whyUnproven(report)}.`,
    `time     ${formatDuration(usedMs)} of ${formatDuration(budgetMs)}`,
    ...(spend ? [`spent    ${spendText(spend)}`] : []),
    `checks   ${paintedOutcome(ENDING_OUTCOMES[report.checks.type], paint, report.checks.reason)}`,
    ...commitLines(report),
    ...keptLines(report.kept, paint),
    ...notes.map((note) => `note     ${note}`),
  ];
  return `${lines.map((line) => `stopgate: ${line}`).join('\n')}\n`;
}

/** An agent that ended by itself and needs no second look. */
export const isGood = ({ how, exitCode, kept }: Pick<LaunchReport, 'how' | 'exitCode' | 'kept'>): boolean =>
  how === 'finished' && exitCode === 0 && kept.type !== 'notKept';

/** Why an agent that finished counts as not proven. */
function whyUnproven({ how, exitCode, checks }: LaunchReport): string {
  if ((how !== 'finished' && how !== 'left_running') || exitCode !== NOT_PROVEN_EXIT) return '';
  if (checks.type === 'passed') return ', but its checks changed during this session';
  if (checks.armedAtStart !== undefined) return ', but its checks were disarmed during this session';
  return checks.type === 'notArmed' ? ', but no checks were armed to prove it' : ', but its checks did not pass';
}

const OUTCOMES: { readonly [How in LaunchReport['how']]: string } = {
  finished: 'finished',
  left_running: 'left processes running',
  no_work: 'did no work',
  failed: 'failed',
  crashed: 'crashed',
  notStarted: 'could not be started',
  expired: 'ran out of time',
  stopped: 'was stopped',
};

const spendText = ({ outputTokens, usd, estimated }: Spend) =>
  `${estimated ? 'about ' : ''}${formatTokens(outputTokens)} output tokens, ${usd === null ? 'unknown price' : `$${usd.toFixed(4)}`}`;

function commitLines({ commits, commitCount }: LaunchReport): readonly string[] {
  if (commitCount === 0) return ['commits  none'];
  const more = commitCount > commits.length ? [`         … and ${commitCount - commits.length} more`] : [];
  const shown = commits.map(({ commit, subject }, index) => {
    return `${index === 0 ? 'commits' : '       '}  ${commit.slice(0, 10)} ${subject}`;
  });
  return [...shown, ...more];
}

function keptLines(kept: KeptWork, paint: Paint): readonly string[] {
  if (kept.type === 'notKept') return [paint('red', `NOT KEPT ${kept.reason}`)];
  const notes = kept.notes.map((note) => `         ${note}`);
  if (kept.type === 'nothing') return ['kept     nothing, all work was committed', ...notes];
  const recover = kept.recover === null ? [] : [`restore  ${kept.recover}`];
  return [`kept     ${countText(kept)} at ${kept.where} (${kept.commit.slice(0, 10)})`, ...recover, ...notes];
}
