import type { LaunchMoment, LaunchPlan } from '../budget/launchPlan.ts';
import { remainingInWords } from '../budget/timeBudget.ts';
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
export function tellMoments({ plan, quiet, writer, keep }: Telling): (moment: LaunchMoment) => Promise<void> {
  return async (moment) => {
    const kept = await keep(momentText(moment, plan));
    // work that cannot be kept is worth a line even to somebody who wants none
    if (quiet && kept.type !== 'notKept') return;
    writer.err(`stopgate: ${wordsFor(moment, plan)}; ${keptWords(kept)}.\n`);
  };
}

function wordsFor(moment: LaunchMoment, { endAt, graceEndAt }: LaunchPlan): string {
  if (moment.type === 'over') return 'the grace is over, ending the agent';
  if (moment.tier !== 'expired') return `${remainingInWords((endAt - moment.at) / 1000)} left`;
  return `time is over, the agent may land for ${remainingInWords((graceEndAt - endAt) / 1000)}`;
}

function momentText(moment: LaunchMoment, { endAt }: LaunchPlan): string {
  if (moment.type === 'over') return 'before it was ended';
  return moment.tier === 'expired' ? 'out of time' : `${remainingInWords((endAt - moment.at) / 1000)} left`;
}

function keptWords(kept: KeptWork): string {
  if (kept.type === 'nothing') return 'nothing is uncommitted';
  if (kept.type === 'notKept') return `UNCOMMITTED WORK COULD NOT BE KEPT: ${kept.reason.replace(/\.$/, '')}`;
  return `${countText(kept)}, not committed, kept at ${kept.where}`;
}
