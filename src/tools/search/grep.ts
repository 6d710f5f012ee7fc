import { absolutePath, pathForRules, withAbsoluteFolder } from '../files/paths.ts';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { type GrepInput, grepArguments, grepInput } from './grepInput.ts';
import { showCounts, showFiles, showLines } from './grepResult.ts';
import { plainGrep } from './plainGrep.ts';
import { type FindRipgrep, findRipgrep, runRipgrep } from './ripgrep.ts';
import { newestFirst, type SearchRoot, searchRoot, withoutHidden } from './searchRoot.ts';

const description = `Searches the content of files with ripgrep.

- pattern is a regular expression: escape \`{\`, \`(\` and \`.\` to find them.
- output_mode "content" shows lines, "files_with_matches" (default) paths, newest first, "count" the number of lines.
- Skips what .gitignore excludes, unless path or glob names it.
- A match is within one line, unless multiline is set.`;

type Show = (text: string, root: SearchRoot, input: GrepInput) => Promise<{ output: unknown; content: string }>;

/** Reads the output of each mode; with `--null` a NUL ends each path, whatever its name contains. */
const SHOW: Readonly<Record<NonNullable<GrepInput['output_mode']>, Show>> = {
  files_with_matches: async (text, root, input) => {
    const paths = text.split('\0').filter((path) => path.trim() !== '');
    const sorted = await newestFirst(paths, root.cwd);
    return showFiles(sorted.map(root.show), input);
  },
  count: async (text, root, input) => {
    const counts = text.split('\n').flatMap((line) => {
      const [path, count] = line.split('\0');
      return path && count !== undefined ? [{ path: root.show(path), count: Number(count) }] : [];
    });
    return showCounts(counts, input);
  },
  content: async (text, root, input) => {
    const lines = text.split('\n').slice(0, -1);
    const shown = lines.map((line) => showLine(line, root));
    return showLines(shown, input);
  },
};

/** `path\012:text` for a match, `path\012-text` for a line around it, `--` between groups; no path when searching one file. */
function showLine(line: string, root: SearchRoot): string {
  const end = line.indexOf('\0');
  if (end === -1) return line;
  const text = line.slice(end + 1);
  if (root.target !== '.') return text;
  return root.show(line.slice(0, end)) + (/^\d+-/.test(text) ? '-' : ':') + text;
}

async function grep(input: GrepInput, context: ToolContext, file: string | null): Promise<ToolOutcome> {
  const root = await searchRoot(absolutePath(input.path ?? '.', context), context.directory.current());
  if (typeof root === 'string') return { type: 'failed', message: root };
  const mode = input.output_mode ?? 'files_with_matches';
  const found =
    file === null
      ? await plainGrep(root, input, context.signal)
      : await runRipgrep({ file, args: grepArguments(input, root.target), cwd: root.cwd }, context);
  const end = withoutHidden(found, root, context, mode === 'files_with_matches' ? '\0' : '\n');
  if (end.type === 'failed') return end;
  const { output, content } = await SHOW[mode](end.text, root, input);
  return { type: 'done', output, content: [content, ...end.notes].join('\n') };
}

export function makeGrepTool(findBinary: FindRipgrep = findRipgrep) {
  return defineTool({
    name: 'Grep',
    description,
    inputSchema: grepInput,
    isReadOnly: () => true,
    observe: withAbsoluteFolder,
    permission: (input, context) => ({ type: 'read', path: pathForRules(input.path ?? '.', context) }),
    summary: (input) => input.pattern,
    call: withoutProgress(async (input: GrepInput, context) => await grep(input, context, await findBinary())),
  });
}
