import type { LaunchMoment, LaunchPlan } from '../../budget/launchPlan.ts';
import { remainingInWords } from '../../budget/timeBudget.ts';
import type { Writer } from '../output/writer.ts';
import type { KeptWork } from './keepWork.ts';

export interface Telling {
  readonly plan: LaunchPlan;
  readonly quiet: boolean;
  readonly writer: Writer;
  readonly keep: () => Promise<KeptWork>;
}

/** At each change of tier, and once more before the agent is ended, work is kept and a line says so. */
export function tellMoments({ plan, quiet, writer, keep }: Telling): (moment: LaunchMoment) => Promise<void> {
  return async (moment) => {
    const kept = await keep();
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

function keptWords(kept: KeptWork): string {
  if (kept.type === 'nothing') return 'nothing is uncommitted';
  if (kept.type === 'notKept') return `UNCOMMITTED WORK COULD NOT BE KEPT: ${kept.reason.replace(/\.$/, '')}`;
  return `${kept.files} uncommitted ${kept.files === 1 ? 'file' : 'files'} kept at ${kept.where}`;
}
