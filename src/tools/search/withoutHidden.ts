import { join } from 'node:path';
import type { ToolContext } from '../toolContext.ts';
import type { RipgrepEnd } from './ripgrep.ts';
import type { SearchRoot } from './searchRoot.ts';

export const HIDDEN_NOTE = 'Files that permission rules hide were left out.';

/** How ripgrep ends an entry: a path alone, or a path and a line. */
type EntryEnd = '\0' | '\n';

/** Removes what permission rules hide, with a note. */
export function withoutHidden(end: RipgrepEnd, root: SearchRoot, { mayShow }: ToolContext, by: EntryEnd): RipgrepEnd {
  if (end.type === 'failed' || mayShow === undefined || root.target !== '.') return end;
  const entries = end.text.split(by);
  const known = new Map<string, boolean>();
  const shown = entries.filter((entry) => {
    const path = by === '\0' ? entry.trim() : entry.slice(0, Math.max(0, entry.indexOf('\0')));
    if (path === '') return true;
    if (!known.has(path)) known.set(path, mayShow(join(root.cwd, path)));
    return known.get(path);
  });
  if (shown.length === entries.length) return end;
  return { ...end, text: withoutEmptyGroups(shown).join(by), notes: [...end.notes, HIDDEN_NOTE] };
}

/** `--` separates groups of lines: not at the start, at the end, or twice. */
function withoutEmptyGroups(lines: readonly string[]): readonly string[] {
  return lines.filter(
    (line, at) => line !== '--' || (at > 0 && lines[at - 1] !== '--' && (lines[at + 1] ?? '') !== ''),
  );
}
