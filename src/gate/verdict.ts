import type { StopAnswer } from '../stop/answer.ts';
import { type GateEnding, isProof, notArmedEnding } from '../stop/ending.ts';
import type { Evidence, StopEnding, StopVerdict, Verdict } from './types.ts';

/** One answer of the gates, before a loop gets it. */
export interface Answered {
  readonly answer: StopAnswer;
  /** As it was recorded; null when no check was asked. */
  readonly ending: GateEnding | null;
}

/** What numbers the verdicts of one gate. */
export interface Numbering {
  readonly attempt: number;
  readonly id: string;
}

export function verdictOf({ answer, ending }: Answered, { attempt, id }: Numbering): Verdict {
  const evidence = evidenceOf(ending, answer.tree ?? null);
  const { notes } = answer;
  if (answer.type === 'block') return { type: 'goOn', feedback: answer.reason, attempt, id, evidence, notes };
  return stopVerdict(ending ?? notArmedEnding('no stopgate.config.json'), evidence, notes);
}

export function stopVerdict(ending: GateEnding, evidence: Evidence, notes: readonly string[]): StopVerdict {
  return { type: 'stop', ending: stopEnding(ending), proven: isProof(ending), evidence, notes };
}

/** An ending that is not one of a stop cannot come from a gate that let it through. */
function stopEnding(ending: GateEnding): StopEnding {
  const { type } = ending;
  if (type === 'blocked' || type === 'notAsked' || type === 'left_running' || type === 'no_work') {
    throw new Error(`a stop that may end has the ending ${type}`);
  }
  return { ...ending, type };
}

export const NO_EVIDENCE: Evidence = { checks: [], tree: null };

function evidenceOf(ending: GateEnding | null, tree: Evidence['tree']): Evidence {
  const checks = (ending?.checks ?? []).map(({ name, outcome, ran }) => ({ name, outcome, ...ran }));
  return { checks, tree };
}
