import { boundTogether } from '../boundText.ts';

export type ShellLimits = ReturnType<typeof shellLimits>;

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const DEFAULT_OUTPUT_CHARACTERS = 30_000;
const MAX_OUTPUT_CHARACTERS = 150_000;

/** The limits of a command's time and output, from its input and the environment. */
export function shellLimits(requestedMs: number | undefined, env: Readonly<Record<string, string>>) {
  const defaultMs = positive(env.BASH_DEFAULT_TIMEOUT_MS) ?? DEFAULT_TIMEOUT_MS;
  const maxMs = Math.max(positive(env.BASH_MAX_TIMEOUT_MS) ?? MAX_TIMEOUT_MS, defaultMs);
  const characters = positive(env.BASH_MAX_OUTPUT_LENGTH) ?? DEFAULT_OUTPUT_CHARACTERS;
  return {
    timeoutMs: Math.min(requestedMs ?? defaultMs, maxMs),
    maxOutputCharacters: Math.min(characters, MAX_OUTPUT_CHARACTERS),
  };
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text?.trim() || Number.NaN);
  return Number.isFinite(number) && number > 0 ? Math.floor(number) : undefined;
}

/**
 * Limits output to what a model reads, with a note when something was cut. The runner keeps four bytes per character, so the mark of bytes that it dropped
 * is in the middle that is cut here, and one sentence counts both.
 */
export function boundShellOutput(
  output: { readonly stdout: string; readonly stderr: string; readonly droppedBytes: number },
  limit: number,
): { stdout: string; stderr: string; note?: string } {
  const [stdout, stderr] = boundTogether(output.stdout.trimEnd(), output.stderr.trimEnd(), limit);
  const cut = stdout.cutCharacters + stderr.cutCharacters + output.droppedBytes;
  const texts = { stdout: stdout.text, stderr: stderr.text };
  if (cut === 0) return texts;
  const about = output.droppedBytes > 0 ? 'about ' : '';
  const count = cut.toLocaleString('en-US');
  return {
    ...texts,
    note: `Output was longer than ${limit.toLocaleString('en-US')} characters: ${about}${count} characters in the middle were left out. To see all, write it to a file and read that in parts.`,
  };
}
