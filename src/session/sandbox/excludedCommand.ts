import { commandPattern, patternCovers } from '../../permissions/commandPattern.ts';
import { findCommands } from '../../permissions/shell/findCommands.ts';

/**
 * Whether a command line is one that settings let out of the sandbox: every command in it, and nothing in it that is only
 * known when it runs. `docker` is about `docker` with any words.
 */
export function isExcludedCommand(command: string, excluded: readonly string[]): boolean {
  if (excluded.length === 0) return false;
  const patterns = excluded.flatMap((text) => [text, `${text} *`]).map(commandPattern);
  const { all, unclear } = findCommands(command);
  if (unclear !== undefined || all.length === 0) return false;
  return all.every(({ part }) => {
    const hasMore = part.assignments.length + part.redirects.length + part.inputs.length > 0;
    const isPlain = !hasMore && part.words.every(({ expands }) => !expands);
    const text = part.words.map((word) => word.text).join(' ');
    return isPlain && text !== '' && patterns.some((pattern) => patternCovers(pattern, text));
  });
}
