import { boundTogether } from '../boundText.ts';

export interface ShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** A sentence when something was cut. */
  readonly note?: string;
}

/**
 * Bounds what a command said to what a model reads. The runner keeps four bytes a character, so where it already
 * dropped bytes its own mark is in the middle that is cut here, and one sentence counts both.
 */
export function boundShellOutput(
  said: { readonly stdout: string; readonly stderr: string; readonly droppedBytes: number },
  limit: number,
): ShellOutput {
  const [stdout, stderr] = boundTogether(said.stdout.trimEnd(), said.stderr.trimEnd(), limit);
  const cut = stdout.cutCharacters + stderr.cutCharacters + said.droppedBytes;
  const texts = { stdout: stdout.text, stderr: stderr.text };
  if (cut === 0) return texts;
  const about = said.droppedBytes > 0 ? 'about ' : '';
  const count = cut.toLocaleString('en-US');
  return {
    ...texts,
    note: `Output was longer than ${limit.toLocaleString('en-US')} characters: ${about}${count} characters in the middle were left out. Write it to a file and read parts of that to see all.`,
  };
}
