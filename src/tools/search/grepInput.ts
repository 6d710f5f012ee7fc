import * as z from 'zod';

export const grepInput = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression, in the syntax of ripgrep.'),
  path: z.string().optional().describe('A file or directory to search: the current directory unless told.'),
  glob: z.string().optional().describe('Only files whose path fits, such as *.ts or **/*.{js,jsx}.'),
  type: z.string().optional().describe('Only files of a type that ripgrep knows, such as js, py, rust.'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('Lines that match, paths of files (unless told), or how many lines match in each file.'),
  '-A': z.int().nonnegative().optional().describe('Lines to show after each match; with content.'),
  '-B': z.int().nonnegative().optional().describe('Lines to show before each match; with content.'),
  '-C': z.int().nonnegative().optional().describe('Lines to show around each match; with content.'),
  '-n': z.boolean().optional().describe('Line numbers, with content: true unless told.'),
  '-i': z.boolean().optional().describe('Upper and lower case are the same.'),
  multiline: z.boolean().optional().describe('Matches may span lines, and . fits a line break.'),
  head_limit: z.int().nonnegative().optional().describe('At most so many lines or paths: 250 unless told, 0 for all.'),
  offset: z.int().nonnegative().optional().describe('Leave out so many lines or paths first.'),
});

export type GrepInput = z.output<typeof grepInput>;

/** The arguments for ripgrep; what the model wrote is never read as an option. */
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

/** Several may be written with spaces or commas between them. One that fits everything would undo .gitignore. */
export function globs(written = ''): readonly string[] {
  const separate = written.includes('{') ? [written.trim()] : written.split(/[\s,]+/);
  return separate.filter((glob) => !['', '*', '**', '**/*'].includes(glob));
}
