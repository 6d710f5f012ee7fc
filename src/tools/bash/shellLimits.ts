export interface ShellLimits {
  readonly timeoutMs: number;
  readonly maxOutputCharacters: number;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const DEFAULT_OUTPUT_CHARACTERS = 30_000;
const MAX_OUTPUT_CHARACTERS = 150_000;

/** How long a command may take and how much it may say, from what was asked and what the environment sets. */
export function shellLimits(askedTimeoutMs: number | undefined, env: Readonly<Record<string, string>>): ShellLimits {
  const defaultMs = positive(env.BASH_DEFAULT_TIMEOUT_MS) ?? DEFAULT_TIMEOUT_MS;
  const maxMs = Math.max(positive(env.BASH_MAX_TIMEOUT_MS) ?? MAX_TIMEOUT_MS, defaultMs);
  const characters = positive(env.BASH_MAX_OUTPUT_LENGTH) ?? DEFAULT_OUTPUT_CHARACTERS;
  return {
    timeoutMs: Math.min(askedTimeoutMs ?? defaultMs, maxMs),
    maxOutputCharacters: Math.min(characters, MAX_OUTPUT_CHARACTERS),
  };
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text?.trim() || Number.NaN);
  return Number.isFinite(number) && number > 0 ? Math.floor(number) : undefined;
}
