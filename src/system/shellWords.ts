const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(["'].*$)|\\(.)/gs;
const WORD = /(?:[^\s"'\\]|\\.|\\$|"(?:[^"\\]|\\.)*"|'[^']*'|["'].*$)+/gs;

/**
 * The words of a command line, with quotes; no variables, no pipes, no shell. A quote that is never closed stays, with all
 * that follows it, as Claude Code reads the arguments of its commands.
 */
export function shellWords(line: string): readonly string[] {
  return (line.match(WORD) ?? []).map((word) =>
    word.replaceAll(
      QUOTED,
      (_all, double?: string, single?: string, unclosed?: string, escaped?: string) =>
        double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? unclosed ?? escaped ?? '',
    ),
  );
}

/** One word of a command line that a person can paste: quoted where a shell would split or change it. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
