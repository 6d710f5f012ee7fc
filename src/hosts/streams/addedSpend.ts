import { LineSplitter } from '../../git/lineSplitter.ts';
import type { JsonObject } from '../../schemas/jsonValue.ts';
import type { SpendReaderOf } from '../host.ts';
import { objectIn } from './eventLines.ts';

/** What one event of a host's stream reports; `usd` is 0 where the host knows no price. */
export interface ReportedStep {
  readonly outputTokens: number;
  readonly usd: number;
}

/** For a host that reports what each request used, and what it cost by its own prices. `word` is in every line that counts. */
export const addedSpend =
  (word: string, stepIn: (event: JsonObject) => ReportedStep | null): SpendReaderOf =>
  () => {
    let outputTokens = 0;
    let usd = 0;
    let unpriced = 0;
    const lines = new LineSplitter((line) => {
      const event = line.includes(word) ? objectIn(line) : null;
      const step = event === null ? null : stepIn(event);
      if (step === null) return;
      outputTokens += step.outputTokens;
      usd += step.usd;
      if (step.usd === 0 && step.outputTokens > 0) unpriced++;
    });
    return {
      push: (chunk) => {
        const before = outputTokens;
        lines.push(chunk);
        return outputTokens !== before;
      },
      get spend() {
        if (unpriced === 0) return { outputTokens, usd };
        // a limit holds by what is known: one step without a price must not lift it
        return usd === 0 ? { outputTokens, usd: null } : { outputTokens, usd, estimated: true as const };
      },
      overBudget: undefined,
    };
  };
