import { homedir } from 'node:os';
import path from 'node:path';
import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import type { SpendReaderOf } from '../host.ts';
import { objectIn } from '../streams/eventLines.ts';
import { followFile } from '../streams/followFile.ts';
import { type ModelUse, spendOf, usageOf } from '../streams/streamSpend.ts';
import { dataOf } from './output.ts';
import { copilotHome } from './standsAside.ts';

/**
 * Its stream has no tokens; its record of the session has those of every request, soon after it. Older versions (1.0.92) only
 * record the totals of the session, at its end.
 */
export const copilotSpend =
  (session: string, env: Readonly<Record<string, string | undefined>>): SpendReaderOf =>
  (costOf) => {
    const { HOME = homedir(), COPILOT_HOME = '' } = env;
    const file = path.join(copilotHome({ HOME, COPILOT_HOME }), 'session-state', session, 'events.jsonl');
    let uses: readonly ModelUse[] = [];
    let totals: readonly ModelUse[] = [];
    const read = followFile(file, 0, (line) => {
      if (line.includes('"session.usage_record"')) uses = [...uses, ...usesIn(dataOf(objectIn(line) ?? {}))];
      else if (line.includes('"session.shutdown"')) totals = totalsIn(dataOf(objectIn(line) ?? {}));
    });
    read();
    // what a continued session spent before is not this launch's
    const earlier = { uses: uses.length, totals };
    const counted = () => (uses.length > 0 ? uses.slice(earlier.uses) : since(totals, earlier.totals));
    let pushed = 0;
    return {
      push: () => {
        read();
        const isNew = counted().length > pushed;
        pushed = counted().length;
        return isNew;
      },
      get spend() {
        read();
        return spendOf(counted(), costOf);
      },
      overBudget: undefined,
    };
  };

const usesIn = ({ usage }: JsonObject): readonly ModelUse[] =>
  isObject(usage) ? [useOf(String(usage.model), usage)] : [];

function totalsIn({ modelMetrics }: JsonObject): readonly ModelUse[] {
  const models = isObject(modelMetrics) ? Object.entries(modelMetrics) : [];
  return models.flatMap(([model, of]) => (isObject(of) && isObject(of.usage) ? [useOf(model, of.usage)] : []));
}

function useOf(model: string, { inputTokens, cacheReadTokens, outputTokens }: JsonObject): ModelUse {
  const cached = Number(cacheReadTokens) || 0;
  return { model, usage: usageOf({ input: Number(inputTokens) - cached, output: outputTokens, cached }) };
}

const since = (now: readonly ModelUse[], before: readonly ModelUse[]): readonly ModelUse[] =>
  now.map(({ model, usage }) => {
    const known = before.find((one) => one.model === model)?.usage;
    if (known === undefined) return { model, usage };
    const input = usage.inputTokens - known.inputTokens;
    const cached = usage.cacheReadTokens - known.cacheReadTokens;
    return { model, usage: usageOf({ input, output: usage.outputTokens - known.outputTokens, cached }) };
  });
