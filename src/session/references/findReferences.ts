import { withoutEnding } from '../../system/withoutEnding.ts';

const PUNCTUATION = '.,;:!?)]}\'"`';

/** A file or folder that a prompt names with `@`; lines count from 1. */
export interface FileReference {
  /** As the text has it, with the `@`. */
  readonly written: string;
  readonly path: string;
  readonly from?: number;
  readonly to?: number;
}

/**
 * What a text refers to: `@notes.txt`, `@"with space.txt"`, `@src/`, `@notes.txt#L2-9`. An `@` inside a word is none, and
 * punctuation after a name is not part of it. Whether there is such a file is not known here.
 */
export function findReferences(text: string): readonly FileReference[] {
  const found = new Map<string, FileReference>();
  for (const match of text.matchAll(/(?<!\S)@(?:"([^"\n]+)"|([^\s"]+))/g)) {
    const name = match[1] ?? withoutEnding(match[2] ?? '', PUNCTUATION);
    const [, path = '', from, to] = /^(.*?)(?:#L(\d+)(?:-L?(\d+))?)?$/.exec(name) ?? [];
    if (path === '') continue;
    found.set(name, {
      written: match[1] === undefined ? `@${name}` : `@"${name}"`,
      path,
      ...(from === undefined ? {} : { from: Number(from), to: Number(to ?? from) }),
    });
  }
  return [...found.values()];
}
