export interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** Claude Code's default: larger limits only make a runaway reply longer. */
const USUAL_OUTPUT = 32_000;

/** From the providers' model pages, November 2026; the longest prefix counts. */
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

/** The limits of a model; modest ones for an unknown model. */
export function modelLimits(modelName: string): ModelLimits {
  const prefixes = Object.keys(LIMITS).filter((prefix) => modelName.startsWith(prefix));
  const [longest = ''] = prefixes.toSorted((a, b) => b.length - a.length);
  return LIMITS[longest] ?? UNKNOWN_MODEL;
}
