import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { IS_CURRENT, knowledgeOf, type LoadedFile, loadFile, storeFile } from './diskFile.ts';
import { describeMissing } from './missingFile.ts';
import { absolutePath, pathForRules, withAbsoluteFile } from './paths.ts';
import { decodeText, encodeText, type TextFile, withLineEndsOf } from './textFile.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    file_path: z.string().min(1).describe('The file, best as an absolute path.'),
    old_string: z.string().describe('The exact text to replace, with its indentation; empty to create a file.'),
    new_string: z.string().describe('What to put in its place.'),
    replace_all: z.boolean().default(false).describe('Replace every occurrence; otherwise there must be exactly one.'),
  }),
);

type Input = z.output<typeof inputSchema>;

const description = `Replaces an exact text in a file.

- old_string is the text as it is in the file, without the line numbers that Read shows.
- It must occur exactly once: add lines around it until it does, or set replace_all.`;

const NEW_FILE: TextFile = { text: '', shape: { encoding: 'utf8', hasByteOrderMark: false, usesCrlf: false } };

interface PlannedEdit {
  readonly source: TextFile;
  readonly text: string;
  readonly knowledge: ReturnType<typeof knowledgeOf>;
}

async function edit(input: Input, context: ToolContext): Promise<ToolOutcome> {
  const filePath = absolutePath(input.file_path, context);
  const plan = await planEdit(filePath, input, context);
  if (typeof plan === 'string') return { type: 'failed', message: plan };
  const { source, text } = plan;
  // a session that only reads needs none of it; before the file is stored, in case it cannot be loaded
  const { structuredPatch } = await import('./structuredPatch.ts');
  const failure = await storeFile(filePath, encodeText(text, source.shape), context.readFiles);
  if (failure !== null) return { type: 'failed', message: failure };
  return {
    type: 'done',
    output: {
      filePath,
      oldString: input.old_string,
      newString: input.new_string,
      originalFile: source.text,
      structuredPatch: structuredPatch(source.text, text),
      userModified: false,
      replaceAll: input.replace_all,
    },
    content: `${describeChange(filePath, input)}${NOTES[plan.knowledge]}`,
  };
}

const describeChange = (path: string, { replace_all }: Input) =>
  replace_all
    ? `The file ${path} has been updated. All occurrences were successfully replaced.`
    : `The file ${path} has been updated successfully.`;

const NOTES: Readonly<Record<PlannedEdit['knowledge'], string>> = {
  unread: '',
  current: IS_CURRENT,
  stale:
    ' (note: the file had been modified on disk since you last read it — the edit applied cleanly, but the file contains other changes not in your context. Read it before edits that depend on surrounding content.)',
};

/** The changed text, or why there is none. The exact text that it replaces shows that the model knows the place: no reading is required. */
async function planEdit(path: string, input: Input, context: ToolContext): Promise<PlannedEdit | string> {
  if (input.old_string === input.new_string)
    return 'No changes to make: old_string and new_string are exactly the same.';
  const file = await loadFile(path);
  if (file.type === 'unusable') return file.message;
  const source = await sourceOf(path, file, { ...context, isNew: input.old_string === '' });
  if (typeof source === 'string') return source;
  const replaced = replaceText(source, input);
  if (replaced.type !== 'replaced') return describeMismatch(replaced, input);
  const knowledge = file.type === 'file' ? knowledgeOf(file, context.readFiles) : 'current';
  return { source, text: replaced.text, knowledge };
}

async function sourceOf(
  path: string,
  file: Exclude<LoadedFile, { type: 'unusable' }>,
  { directory, isNew }: Pick<ToolContext, 'directory'> & { readonly isNew: boolean },
): Promise<TextFile | string> {
  if (file.type === 'missing') return isNew ? NEW_FILE : describeMissing(path, directory.current());
  const source = decodeText(file.bytes);
  if (source === null) return `${path} is a binary file and cannot be edited.`;
  return isNew && source.text !== '' ? 'Cannot create new file - file already exists.' : source;
}

type ReplacedText =
  | { readonly type: 'replaced'; readonly text: string; readonly count: number }
  | { readonly type: 'notFound' }
  | { readonly type: 'ambiguous'; readonly count: number };

/**
 * Replaces an exact text. Models write `\n`: in a file with only CRLF both texts are read as CRLF first, in other files
 * second. Lines outside the match keep their line ends.
 */
export function replaceText({ text, shape }: TextFile, input: Omit<Input, 'file_path'>): ReplacedText {
  const asWritten = { from: input.old_string, to: input.new_string };
  if (asWritten.from === '') return { type: 'replaced', text: asWritten.to, count: 1 };
  const withCrlf = { from: crlf(asWritten.from), to: crlf(asWritten.to) };
  const tries = shape.usesCrlf ? [withCrlf, asWritten] : [asWritten, withCrlf];
  for (const { from, to } of tries) {
    const parts = text.split(from);
    const count = parts.length - 1;
    if (count === 0) continue;
    if (count > 1 && !input.replace_all) return { type: 'ambiguous', count };
    return { type: 'replaced', text: parts.join(to), count };
  }
  return { type: 'notFound' };
}

const crlf = (text: string) => withLineEndsOf({ ...NEW_FILE.shape, usesCrlf: true }, text);

function describeMismatch(
  mismatch: Exclude<ReplacedText, { type: 'replaced' }>,
  { old_string }: Pick<Input, 'old_string'>,
): string {
  if (mismatch.type === 'notFound') return `String to replace not found in file.\nString: ${old_string}`;
  return `Found ${mismatch.count} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${old_string}`;
}

export const editTool = defineTool({
  name: 'Edit',
  description,
  inputSchema,
  isReadOnly: () => false,
  observe: withAbsoluteFile,
  keptInput: ({ replace_all, ...input }) => ({ replace_all, ...input }),
  whyNot: async (input, context) => {
    const plan = await planEdit(absolutePath(input.file_path, context), input, context);
    return typeof plan === 'string' ? plan : undefined;
  },
  permission: (input, context) => ({ type: 'edit', path: pathForRules(input.file_path, context) }),
  summary: (input) => input.file_path,
  call: withoutProgress(edit),
});
