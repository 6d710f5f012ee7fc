import { constants } from 'node:os';
import type { CommitsSince } from '../../../git/commitsSince.ts';
import type { Spend } from '../../../hosts/claudeCode/claudeSpend.ts';
import { countText, type KeptWork } from '../../../launch/keepWork.ts';
import type { AgentEnd } from '../../../launch/superviseAgent.ts';
import type { GateEnding } from '../../../stop/gateEnding.ts';
import type { Paint } from '../../output/colours.ts';
import { durationInWords, tokensInWords } from '../../output/durations.ts';

/** How a launch ended, built from what was seen, never from what the agent says. */
export interface LaunchReport {
  readonly type: 'launch_report';
  readonly id: string;
  readonly agent: string;
  readonly folder: string;
  readonly how: 'finished' | 'failed' | 'crashed' | 'notStarted' | 'expired' | 'stopped';
  readonly why: string;
  readonly exitCode: number;
  readonly startedAt: string;
  readonly usedMs: number;
  readonly budgetMs: number;
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  readonly commitCount: number;
  /** How the checks of `stopgate.config.json` ended. */
  readonly checks: GateEnding;
  readonly kept: KeptWork;
  readonly spend: Spend | null;
  readonly notes: readonly string[];
}

/** As `timeout` has it. */
const EXPIRED_CODE = 124;
const STOPPED_CODE = 125;
const NOT_STARTED_CODE = 127;

export type Ending = Pick<LaunchReport, 'how' | 'why' | 'exitCode'>;

/** `limit`: the sentence of a limit that it used up, however its process ended after that. */
export function endingOf(agentEnd: AgentEnd, limit: string | null = null): Ending {
  const { end } = agentEnd;
  if (end.type === 'notStarted')
    return { how: 'notStarted', why: end.error.replace(/\.$/, ''), exitCode: NOT_STARTED_CODE };
  if (agentEnd.type === 'expired') {
    return { how: 'expired', why: 'its time and grace were over; it was ended', exitCode: EXPIRED_CODE };
  }
  if (agentEnd.type === 'stopped') return { how: 'stopped', why: agentEnd.reason, exitCode: STOPPED_CODE };
  if (limit !== null) return { how: 'stopped', why: limit, exitCode: STOPPED_CODE };
  if (end.type === 'exited' && end.code === 0) return { how: 'finished', why: 'it ended by itself', exitCode: 0 };
  if (end.type === 'exited') return { how: 'failed', why: `it exited with code ${end.code}`, exitCode: end.code };
  const signal = end.type === 'signalled' ? end.signal : 'SIGKILL';
  const number = constants.signals[signal as keyof typeof constants.signals] ?? 0;
  // as a shell has it
  return { how: 'crashed', why: `it was ended by ${signal}`, exitCode: 128 + number };
}

export function commitsOf(since: CommitsSince): Pick<LaunchReport, 'commits' | 'commitCount'> {
  return since.type === 'listed'
    ? { commits: since.commits, commitCount: since.total }
    : { commits: [], commitCount: 0 };
}

export function reportText(report: LaunchReport, paint: Paint): string {
  const { how, why, usedMs, budgetMs, spend, notes } = report;
  const good = how === 'finished' && report.exitCode === 0;
  const lines = [
    `${paint(good ? 'green' : 'yellow', `${report.agent} ${WORDS[how]}`)}: ${why}${unprovenWords(report)}.`,
    `time     ${durationInWords(usedMs)} of ${durationInWords(budgetMs)}`,
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
  `${estimated ? 'about ' : ''}${tokensInWords(outputTokens)} output tokens, ${usd === null ? 'unknown price' : `$${usd.toFixed(4)}`}`;

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
