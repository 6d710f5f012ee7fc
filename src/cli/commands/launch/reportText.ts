import type { Spend } from '../../../hosts/host.ts';
import { countText, type KeptWork } from '../../../launch/keepWork.ts';
import type { LaunchReport } from '../../../launch/launchReport.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { formatTokens } from '../../../system/formatTokens.ts';
import type { Paint } from '../../output/colors.ts';

export function reportText(report: LaunchReport, paint: Paint): string {
  const { how, why, usedMs, budgetMs, spend, notes } = report;
  const good = how === 'finished' && report.exitCode === 0;
  const lines = [
    `${paint(good ? 'green' : 'yellow', `${report.agent} ${WORDS[how]}`)}: ${why}${unprovenWords(report)}.`,
    `time     ${formatDuration(usedMs)} of ${formatDuration(budgetMs)}`,
    ...(spend ? [`spent    ${spendText(spend)}`] : []),
    `checks   ${report.checks.reason}`,
    ...commitLines(report),
    ...keptLines(report.kept, paint),
    ...notes.map((note) => `note     ${note}`),
  ];
  return `${lines.map((line) => `stopgate: ${line}`).join('\n')}\n`;
}

/** An agent that ended well without proof: a person must not read "finished" alone. */
function unprovenWords({ how, exitCode, checks }: LaunchReport): string {
  if (how !== 'finished' || exitCode === 0) return '';
  if (checks.type === 'passed') return ', but its checks changed during this session';
  if (checks.armedAtStart !== undefined) return ', but its checks were disarmed during this session';
  return checks.type === 'notArmed' ? ', but no checks were armed to prove it' : ', but its checks did not pass';
}

const WORDS: { readonly [How in LaunchReport['how']]: string } = {
  finished: 'finished',
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
  if (kept.type === 'nothing') return ['kept     nothing was left uncommitted', ...notes];
  const recover = kept.recover === null ? [] : [`restore  ${kept.recover}`];
  return [`kept     ${countText(kept)} at ${kept.where} (${kept.commit.slice(0, 10)})`, ...recover, ...notes];
}
