import { isInside } from '../../permissions/matchPath.ts';
import { withoutEnding } from '../../system/withoutEnding.ts';

interface ImportFacts {
  /** Where the file really is, links followed. */
  readonly realPath: string;
  /** Folders that the importing file may import from; undefined for the person's own files, which may import from anywhere. */
  readonly within: readonly string[] | undefined;
  readonly depth: number;
  /** Why a file elsewhere may not be imported; null for one that a person approved. */
  readonly whyNot: string | null;
}

const MAX_IMPORT_DEPTH = 5;

/** A repository may only import its own files: `@~/.ssh/id_rsa` would put a secret into a conversation that it steers. */
export function whyNotImported({ realPath, within, depth, whyNot }: ImportFacts): string | undefined {
  if (depth > MAX_IMPORT_DEPTH) return `imports may be nested ${MAX_IMPORT_DEPTH} deep at most`;
  if (within === undefined || isInside(realPath, within)) return undefined;
  return whyNot === null ? undefined : `it is outside the project, and ${whyNot}`;
}

const PUNCTUATION = '.,;:!?)]}\'"*_';
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const IMPORT = /(?<=^|\s)@((?:\\ |[^\s`@])+)/g;

/** The paths that a text imports with `@path`, in order, without those shown as code. */
export function findImports(text: string): readonly string[] {
  const found = proseLines(text).flatMap((line) => Array.from(line.matchAll(IMPORT), ([, path = '']) => clean(path)));
  return [...new Set(found)].filter((path) => path !== '');
}

/** Lines outside fenced code, with code spans blanked out. */
function proseLines(text: string): readonly string[] {
  let fence: string | undefined;
  return text.split('\n').flatMap((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && mark === undefined) return [line.replace(/(`+)[^`]*\1/g, ' ')];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    return [];
  });
}

/** `see @docs/style.md.` means the file, not the sentence's full stop. */
function clean(path: string): string {
  return withoutEnding(path.replace(/\\ /g, ' '), PUNCTUATION);
}
