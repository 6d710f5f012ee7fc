export interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** Claude Code's default: larger limits only make a runaway reply longer. */
const USUAL_OUTPUT = 32_000;

/** From the providers' model pages, November 2026; the first match counts. */
const LIMITS: readonly (readonly [names: RegExp, contextWindow: number, maxOutputTokens?: number])[] = [
  [/^claude-3-haiku/, 200_000, 4_096],
  [/^claude-(?:fable|opus|sonnet|haiku)-5/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gpt-oss/, 131_072, 8_192],
  [/^gpt-3\.5/, 16_385, 4_096],
  [/^gpt-4o/, 128_000, 16_384],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5\.[45]/, 1_000_000],
  [/^gpt-/, 400_000],
  [/^(?:o1|o3|o4-mini)/, 200_000],
  [/^gemini-2\.0/, 1_048_576, 8_192],
  [/^gemini-/, 1_048_576],
];

/** The limits of a model; modest ones for an unknown model. */
export function modelLimits(modelName: string): ModelLimits {
  const known = LIMITS.find(([names]) => names.test(modelName)) ?? [/./, 128_000, 8_192];
  const [, contextWindow, maxOutputTokens = USUAL_OUTPUT] = known;
  return { contextWindow, maxOutputTokens };
}
