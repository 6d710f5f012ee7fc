/**
 * What the user wants from a session. `question`: an answer, so unchanged files need no proof. `order`: work, so "I changed
 * nothing" is a claim like any other. `proof`: the checks have to pass, whatever the configuration contains.
 */
export type Demand = 'question' | 'order' | 'proof';

/** When a check runs: by the demand (`default`), or by the configuration. */
export type CheckWhen = 'default' | 'changed' | 'always';

export interface DemandFacts {
  readonly requireProof: boolean;
  /** Started by `stopgate launch` or by a worker: both hand over work. */
  readonly launched: boolean;
  readonly worker: boolean;
  /** No person can answer questions. An interactive session may get a question or an order; which one is unknown. */
  readonly headless: boolean;
  /** Null when unknown. */
  readonly mayEdit: boolean | null;
}

export function demandOf({ requireProof, launched, worker, headless, mayEdit }: DemandFacts): Demand {
  if (requireProof) return 'proof';
  // unknown counts as work: checking a question costs tokens, not checking a claim costs the work
  return launched || worker || (headless && mayEdit !== false) ? 'order' : 'question';
}

const RUNS_UNCHANGED: Readonly<Record<CheckWhen, Readonly<Record<Demand, boolean>>>> = {
  default: { question: false, order: true, proof: true },
  changed: { question: false, order: false, proof: true },
  always: { question: true, order: true, proof: true },
};

/** Whether a check runs although no file changed since the session began. */
export const runsUnchanged = (when: CheckWhen, demand: Demand): boolean => RUNS_UNCHANGED[when][demand];
