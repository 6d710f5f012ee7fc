export interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** Claude Code's own default: larger limits only make a runaway reply longer. */
const USUAL_OUTPUT = 32_000;

/** Written in November 2026 from the providers' model pages; the longest prefix counts. */
const LIMITS: Readonly<Record<string, ModelLimits>> = {
  'claude-': { contextWindow: 200_000, maxOutputTokens: USUAL_OUTPUT },
  'claude-3-haiku': { contextWindow: 200_000, maxOutputTokens: 4_096 },
  'claude-fable-5': { contextWindow: 1_000_000, maxOutputTokens: USUAL_OUTPUT },
  'claude-opus-5': { contextWindow: 1_000_000, maxOutputTokens: USUAL_OUTPUT },
  'claude-sonnet-5': { contextWindow: 1_000_000, maxOutputTokens: USUAL_OUTPUT },
  'claude-haiku-5': { contextWindow: 1_000_000, maxOutputTokens: USUAL_OUTPUT },
  'gpt-': { contextWindow: 400_000, maxOutputTokens: USUAL_OUTPUT },
  'gpt-oss': { contextWindow: 131_072, maxOutputTokens: 8_192 },
  'gpt-3.5': { contextWindow: 16_385, maxOutputTokens: 4_096 },
  'gpt-4o': { contextWindow: 128_000, maxOutputTokens: 16_384 },
  'gpt-4.1': { contextWindow: 1_047_576, maxOutputTokens: USUAL_OUTPUT },
  'gpt-5.4': { contextWindow: 1_000_000, maxOutputTokens: USUAL_OUTPUT },
  'gpt-5.5': { contextWindow: 1_000_000, maxOutputTokens: USUAL_OUTPUT },
  o1: { contextWindow: 200_000, maxOutputTokens: USUAL_OUTPUT },
  o3: { contextWindow: 200_000, maxOutputTokens: USUAL_OUTPUT },
  'o4-mini': { contextWindow: 200_000, maxOutputTokens: USUAL_OUTPUT },
  'gemini-': { contextWindow: 1_048_576, maxOutputTokens: USUAL_OUTPUT },
  'gemini-2.0': { contextWindow: 1_048_576, maxOutputTokens: 8_192 },
};

const UNKNOWN_MODEL: ModelLimits = { contextWindow: 128_000, maxOutputTokens: 8_192 };

/** How much a model takes and gives; modest figures for one that is not known. */
export function modelLimits(modelName: string): ModelLimits {
  return longestPrefix(LIMITS, modelName) ?? UNKNOWN_MODEL;
}

/** The entry whose key is the longest prefix of the name. */
function longestPrefix<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  let best: string | undefined;
  for (const prefix of Object.keys(table))
    if (name.startsWith(prefix) && prefix.length > (best?.length ?? -1)) best = prefix;
  return best === undefined ? undefined : table[best];
}
