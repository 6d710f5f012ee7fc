import { withoutEnding } from '../../system/withoutEnding.ts';

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
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return [];
    }
    if (mark !== undefined) {
      fence = mark;
      return [];
    }
    return [line.replace(/(`+)[^`]*\1/g, ' ')];
  });
}

/** `see @docs/style.md.` means the file, not the sentence's full stop. */
function clean(path: string): string {
  return withoutEnding(path.replace(/\\ /g, ' '), PUNCTUATION);
}
