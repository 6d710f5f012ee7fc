import { structuredPatch as linePatch, type StructuredPatchHunk } from 'diff';

export type Hunk = Readonly<StructuredPatchHunk>;

/** Comparing 2,000 lines with 2,000 others blocks the process for a second. */
const LONGEST_MS = 200;

/** The change as Claude Code reports it; a single hunk when the texts have too little in common. */
export function structuredPatch(before: string, after: string): readonly Hunk[] {
  return hunksOf(before, after) ?? [wholeText(before, after)];
}

function hunksOf(before: string, after: string): readonly Hunk[] | undefined {
  return linePatch('', '', before, after, undefined, undefined, { context: 3, timeout: LONGEST_MS })?.hunks;
}

function wholeText(before: string, after: string): Hunk {
  const [removed, added] = [hunksOf(before, '')?.[0], hunksOf('', after)?.[0]];
  return {
    oldStart: 1,
    oldLines: removed?.oldLines ?? 0,
    newStart: 1,
    newLines: added?.newLines ?? 0,
    lines: [...(removed?.lines ?? []), ...(added?.lines ?? [])],
  };
}
