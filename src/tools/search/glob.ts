import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import picomatch from 'picomatch';
import * as z from 'zod';
import { absolutePath, pathForRules, withAbsoluteFolder } from '../files/paths.ts';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { type FindRipgrep, findRipgrep, type RipgrepEnd, runRipgrep } from './ripgrep.ts';
import { HIDDEN_NOTE, missingRoot, newestFirst, searchRoot } from './searchRoot.ts';
import { WALK_NOTE, walkFiles } from './walkFiles.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .describe('Such as **/*.ts or src/{a,b}/*.json; without a slash it matches at any depth.'),
    path: z.string().optional().describe('The directory to search; the current one by default.'),
  }),
);

type Input = z.output<typeof inputSchema>;

const MAX_FILES = 100;

const description = `Finds files by a path pattern, the most recently changed first.

- Returns at most ${MAX_FILES} files, and reports when there are more.
- Finds hidden files, but not those that .gitignore excludes, unless the pattern starts inside them.
- To search the content of files use Grep.`;

/** The search starts at the fixed beginning of a pattern, so `../x/*.ts` and absolute patterns work. */
function splitPattern({ pattern, path = '.' }: Input): { readonly folder: string; readonly glob: string } {
  const { base, glob, isGlob } = picomatch.scan(pattern);
  const [start, pathGlob] = isGlob ? [base, glob] : [dirname(pattern), basename(pattern)];
  return { folder: isAbsolute(start) || start.startsWith('~/') ? start : join(path, start), glob: pathGlob };
}

/** Why nothing can be searched where the call says, undefined when it can. */
async function whyNoFolder({ path }: Input, context: ToolContext): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const folder = absolutePath(path, context);
  const entry = await stat(folder).catch(() => undefined);
  if (entry === undefined) return missingRoot('Directory', folder, context.directory.current());
  return entry.isDirectory() ? undefined : `Path is not a directory: ${folder}`;
}

async function listFiles(cwd: string, rg: string | null, context: ToolContext): Promise<RipgrepEnd> {
  if (rg !== null) return await runRipgrep({ file: rg, args: ['--files'], cwd }, context);
  const files = await walkFiles(cwd, context.signal);
  return { type: 'searched', text: files.join('\0'), notes: [WALK_NOTE] };
}

async function find(input: Input, context: ToolContext, rg: string | null): Promise<ToolOutcome> {
  const startedAt = context.clock.now();
  const current = context.directory.current();
  const problem = await whyNoFolder(input, context);
  if (problem !== undefined) return { type: 'failed', message: problem };
  const { folder, glob } = splitPattern(input);
  const root = await searchRoot(absolutePath(folder, context), current);
  if (typeof root === 'string') return { type: 'failed', message: root };
  const listed = await listFiles(root.cwd, rg, context);
  if (listed.type === 'failed') return listed;
  const fits = picomatch(glob, { dot: true, basename: !input.pattern.includes('/') });
  const fitting = listed.text.split('\0').filter((path) => path !== '' && fits(path));
  const visible = fitting.filter((path) => context.mayShow?.(join(root.cwd, path)) ?? true);
  const found = await newestFirst(visible, root.cwd);
  const notes = [...listed.notes, ...(visible.length < fitting.length ? [HIDDEN_NOTE] : [])];
  const filenames = found.slice(0, MAX_FILES).map(root.show);
  const truncated = found.length > MAX_FILES;
  const more = `${found.length} files match; the ${MAX_FILES} most recently changed are shown. Use a narrower pattern or path.`;
  const lines = filenames.length === 0 ? ['No files found'] : filenames;
  return {
    type: 'done',
    output: {
      filenames,
      numFiles: filenames.length,
      truncated,
      durationMs: context.clock.now() - startedAt,
      totalMatches: found.length,
      // with a note, the list itself is incomplete
      countIsComplete: listed.notes.length === 0,
    },
    content: [...lines, ...(truncated ? [more] : []), ...notes].join('\n'),
  };
}

export function makeGlobTool(findBinary: FindRipgrep = findRipgrep) {
  return defineTool({
    name: 'Glob',
    description,
    inputSchema,
    isReadOnly: () => true,
    observe: withAbsoluteFolder,
    permission: (input, context) => ({ type: 'read', path: pathForRules(splitPattern(input).folder, context) }),
    summary: (input) => input.pattern,
    call: withoutProgress(async (input: Input, context) => await find(input, context, await findBinary())),
  });
}
