import { type GateEnding, skippedEnding } from '../../../stop/ending.ts';
import type { OpenSession } from '../../wiring/openSession.ts';
import { exitCodeOfChecks, type PromptChecks } from '../prompt/ending.ts';

const NOT_CHECKED: GateEnding = { ...skippedEnding('checksInterrupted'), reason: 'not checked in this turn' };

/** What the checks said to each turn. An earlier verdict says nothing about a turn that never reached its stop. */
export class TurnChecks {
  readonly #requireProof: boolean;
  #before: GateEnding | undefined;
  #last: PromptChecks | null = null;

  constructor(requireProof: boolean) {
    this.#requireProof = requireProof;
  }

  began({ checks }: OpenSession): void {
    this.#before = checks();
  }

  /** Null without a definition of done. */
  ended({ armed, checks }: OpenSession): PromptChecks | null {
    const requireProof = this.#requireProof;
    const latest = checks();
    const isOld = armed.checks.length > 0 && latest === this.#before;
    const isNone = armed.sentence === null && !requireProof;
    this.#last = isNone ? null : { ending: isOld ? NOT_CHECKED : latest, requireProof };
    return this.#last;
  }

  /** As of `-p`: 123 when proof is required and the last turn has none. */
  get exitCode(): number {
    return this.#requireProof ? exitCodeOfChecks(this.#last ?? { ending: NOT_CHECKED, requireProof: true }) : 0;
  }
}
