/**
 * What the session was asked for. `question`: an answer, so files that did not change need no proof. `order`: work, so "I
 * changed nothing" is a claim like any other. `proof`: the person wants the checks to pass, whatever the configuration says.
 */
export type Demand = 'question' | 'order' | 'proof';

/** When a check runs: as the demand says, or as the configuration says. */
export type CheckWhen = 'default' | 'changed' | 'always';

export interface DemandFacts {
  readonly requireProof: boolean;
  /** Started by `stopgate launch` or by a worker: both hand over work. */
  readonly launched: boolean;
  readonly worker: boolean;
  /** No person is there to ask; of an interactive session it is not known whether it was asked a question. */
  readonly headless: boolean;
  /** Null: the host does not say. */
  readonly mayEdit: boolean | null;
}

export function demandOf({ requireProof, launched, worker, headless, mayEdit }: DemandFacts): Demand {
  if (requireProof) return 'proof';
  // not knowing counts as work: a question that is held costs tokens, a claim that is not checked costs the work
  return launched || worker || (headless && mayEdit !== false) ? 'order' : 'question';
}

const RUNS_UNCHANGED: Readonly<Record<CheckWhen, Readonly<Record<Demand, boolean>>>> = {
  default: { question: false, order: true, proof: true },
  changed: { question: false, order: false, proof: true },
  always: { question: true, order: true, proof: true },
};

/** Whether a check runs although the files are as the session found them. */
export const runsUnchanged = (when: CheckWhen, demand: Demand): boolean => RUNS_UNCHANGED[when][demand];
