import { structuredPatch as linePatch, type StructuredPatchHunk } from 'diff';

/** Comparing 2,000 lines with 2,000 others blocks the process for a second. */
const LONGEST_MS = 200;

/** The change as Claude Code reports it; a single hunk when the texts have too little in common. */
export function structuredPatch(before: string, after: string): readonly StructuredPatchHunk[] {
  const hunks = hunksOf(before, after, LONGEST_MS);
  if (hunks) return hunks;
  const [removed, added] = [hunksOf(before, '')?.[0], hunksOf('', after)?.[0]];
  const lines = [...(removed?.lines ?? []), ...(added?.lines ?? [])];
  return [{ oldStart: 1, oldLines: removed?.oldLines ?? 0, newStart: 1, newLines: added?.newLines ?? 0, lines }];
}

function hunksOf(before: string, after: string, timeout = Number.POSITIVE_INFINITY) {
  return linePatch('', '', before, after, undefined, undefined, { context: 3, timeout })?.hunks;
}
