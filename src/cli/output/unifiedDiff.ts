import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import type { Paint } from './colors.ts';
import { visibleText } from './visibleText.ts';

export interface DiffSides {
  readonly name: string;
  /** Null for a file that does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

const STYLES = { '@': 'cyan', '-': 'red', '+': 'green' } as const;

/** A change in the format of `diff -u`, with invisible characters made visible; empty without a change. */
export function unifiedDiff({ name, before, after }: DiffSides, paint: Paint): string {
  const patch = structuredPatch('', '', before ?? '', after ?? '', '', '', { context: 3 });
  if (patch.hunks.length === 0 && (before === null) === (after === null)) return '';
  const heads = [`--- ${before === null ? '/dev/null' : name}`, `+++ ${after === null ? '/dev/null' : name}`];
  const body = patch.hunks.length === 0 ? [] : formatPatch(patch, OMIT_HEADERS).slice(0, -1).split('\n');
  const painted = body.map((line) => {
    const style = STYLES[line.charAt(0) as keyof typeof STYLES];
    const shown = visibleText(line);
    return style ? paint(style, shown) : shown;
  });
  return `${[...heads.map((head) => paint('bold', head)), ...painted].join('\n')}\n`;
}
