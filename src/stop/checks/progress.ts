import { hashOf, normalLine, outputLines } from './outputLines.ts';
import type { FailedCheck } from './types.ts';

/**
 * A digest of what fails, by which a stop is compared with the one before. Coarser than a baseline: all numbers are left out,
 * since a seed or a port that a check prints is not progress.
 */
export function failuresDigest(failures: readonly FailedCheck[]): string {
  const parts = failures.map(({ check, how, output, found }) => {
    const isTests = typeof found === 'object' && found.by === 'tests';
    const items = isTests
      ? found.items
      : outputLines(output, check.folder).flatMap(({ text, key }) => (key === null ? [] : coarse(text, check.folder)));
    return [check.name, coarse(how, check.folder), ...new Set(items.toSorted())];
  });
  return hashOf(JSON.stringify(parts));
}

const coarse = (text: string, folder: string) => normalLine(text, [folder]).replaceAll(/[0-9a-f]*\d[0-9a-f]*/gi, '#');
