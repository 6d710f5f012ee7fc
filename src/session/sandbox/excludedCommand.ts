import { commandPattern, patternCovers } from '../../permissions/commandPattern.ts';
import { findCommands } from '../../permissions/shell/findCommands.ts';

/** Whether settings let every command of a line out of the sandbox. `docker` covers `docker` with any words; expansions are not covered. */
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
