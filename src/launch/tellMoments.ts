import type { LaunchPlan, LaunchStage } from '../budget/launchPlan.ts';
import { formatSeconds } from '../system/formatDuration.ts';
import type { Writer } from '../system/writer.ts';
import { countText, type KeptWork } from './keepWork.ts';

export interface Telling {
  readonly plan: LaunchPlan;
  readonly quiet: boolean;
  readonly writer: Pick<Writer, 'err'>;
  /** Given the time of it, in words. */
  readonly keep: (moment: string) => Promise<KeptWork>;
}

/** At each change of tier, and once more before the agent is ended, work is kept and a line says so. */
export function tellMoments({ plan, quiet, writer, keep }: Telling): (moment: LaunchStage) => Promise<void> {
  return async (moment) => {
    const kept = await keep(momentText(moment, plan));
    // work that cannot be kept is worth a line even to somebody who wants none
    if (quiet && kept.type !== 'notKept') return;
    writer.err(`stopgate: ${wordsFor(moment, plan)}; ${keptWords(kept)}.\n`);
  };
}

function wordsFor(moment: LaunchStage, { endAt, graceEndAt }: LaunchPlan): string {
  if (moment.type === 'over') return 'the grace is over, ending the agent';
  if (moment.tier !== 'expired') return `${formatSeconds(endAt - moment.at)} left`;
  return `time is over, the agent may land for ${formatSeconds(graceEndAt - endAt)}`;
}

function momentText(moment: LaunchStage, { endAt }: LaunchPlan): string {
  if (moment.type === 'over') return 'before it was ended';
  return moment.tier === 'expired' ? 'out of time' : `${formatSeconds(endAt - moment.at)} left`;
}

function keptWords(kept: KeptWork): string {
  if (kept.type === 'nothing') return 'nothing is uncommitted';
  if (kept.type === 'notKept') return `UNCOMMITTED WORK COULD NOT BE KEPT: ${kept.reason.replace(/\.$/, '')}`;
  return `${countText(kept)}, not committed, kept at ${kept.where}`;
}
