import * as z from 'zod';

export const grepInput = z.lazy(() =>
  z.strictObject({
    pattern: z.string().min(1).describe('A regular expression, in the syntax of ripgrep.'),
    path: z.string().optional().describe('A file or directory to search; the current directory by default.'),
    glob: z.string().optional().describe('Only files whose path matches, such as *.ts or **/*.{js,jsx}.'),
    type: z.string().optional().describe('Only files of a type that ripgrep knows, such as js, py, rust.'),
    output_mode: z
      .enum(['content', 'files_with_matches', 'count'])
      .optional()
      .describe('Matching lines, paths of files (default), or the number of matching lines per file.'),
    '-A': z.int().nonnegative().optional().describe('Lines to show after each match; with content.'),
    '-B': z.int().nonnegative().optional().describe('Lines to show before each match; with content.'),
    '-C': z.int().nonnegative().optional().describe('Lines to show around each match; with content.'),
    '-n': z.boolean().optional().describe('Line numbers, with content; true by default.'),
    '-i': z.boolean().optional().describe('Ignore case.'),
    multiline: z.boolean().optional().describe('Matches may span lines, and . matches a line break.'),
    head_limit: z
      .int()
      .nonnegative()
      .optional()
      .describe('The maximum number of lines or paths: 250 by default, 0 for all.'),
    offset: z.int().nonnegative().optional().describe('Skip this many lines or paths first.'),
  }),
);

export type GrepInput = z.output<typeof grepInput>;

/** The arguments for ripgrep; the model's text is never read as an option. */
export function grepArguments(input: GrepInput, target: string): readonly string[] {
  return [
    ...modeArguments(input),
    ...(input['-i'] ? ['--ignore-case'] : []),
    ...(input.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(input.type === undefined ? [] : [`--type=${input.type}`]),
    ...globs(input.glob).map((glob) => `--glob=${glob}`),
    `--regexp=${input.pattern}`,
    '--',
    target,
  ];
}

function modeArguments(input: GrepInput): readonly string[] {
  if (input.output_mode === 'count') return ['--count', '--with-filename'];
  if (input.output_mode !== 'content') return ['--files-with-matches'];
  const context = (['-A', '-B', '-C'] as const).flatMap((name) => {
    const lines = input[name];
    return lines === undefined ? [] : [name, String(lines)];
  });
  const numbers = input['-n'] === false ? '--no-line-number' : '--line-number';
  return ['--no-heading', '--with-filename', numbers, '--max-columns=500', '--max-columns-preview', ...context];
}

/** Globs are separated by spaces or commas. One that matches everything would override .gitignore. */
export function globs(written = ''): readonly string[] {
  const separate = written.includes('{') ? [written.trim()] : written.split(/[\s,]+/);
  return separate.filter((glob) => !['', '*', '**', '**/*'].includes(glob));
}
