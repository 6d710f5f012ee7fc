import { errorEnding } from '../stop/ending.ts';
import type { GateOptions, Verdict } from './types.ts';
import { NO_EVIDENCE, type Numbering, stopVerdict } from './verdict.ts';

/** Stops in a row that are sent back without a verdict, as at a hook: an agent cannot fix what it cannot see. */
const MOST_WITHOUT_VERDICT = 3;

export interface WithoutVerdict extends Numbering {
  readonly onFailure: NonNullable<GateOptions['onFailure']>;
  /** How often in a row, with this time. */
  readonly times: number;
}

/** The verdict on a stop whose gate failed: nothing is proven, so by default the agent has to stop again. */
export function verdictWithout(error: unknown, { onFailure, times, attempt, id }: WithoutVerdict): Verdict {
  if (onFailure === 'throw') throw error;
  const { message } = error instanceof Error ? error : new Error(String(error));
  const why = message.replace(/\.$/, '');
  if (onFailure === 'stop' || times > MOST_WITHOUT_VERDICT) {
    const counted = times > 1 ? ` ${times} times in a row` : '';
    const note = `Stopgate: the gate gave no verdict${counted} (${why}), so the agent may stop; nothing is proven.`;
    return stopVerdict(errorEnding(message), NO_EVIDENCE, [note]);
  }
  const feedback = `Not proven yet: the gate gave no verdict (${why}). Stop again, and it is asked again; if this happens again, report it and stop.`;
  const note = `Stopgate: the gate gave no verdict (${why}); the agent was sent back.`;
  return { type: 'goOn', feedback, attempt, id, evidence: NO_EVIDENCE, notes: [note] };
}
