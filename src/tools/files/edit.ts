import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { loadFile, storeFile, whyNotOverwrite } from './diskFile.ts';
import { absolutePath, pathForRules, withAbsoluteFile } from './paths.ts';
import { structuredPatch } from './structuredPatch.ts';
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

- The file must have been read in this session first.
- old_string is the text as it is in the file, without the line numbers that Read shows.
- It must occur exactly once: add lines around it until it does, or set replace_all.`;

const NEW_FILE: TextFile = { text: '', shape: { encoding: 'utf8', hasByteOrderMark: false, usesCrlf: false } };

async function edit(input: Input, context: ToolContext): Promise<ToolOutcome> {
  const filePath = absolutePath(input.file_path, context);
  const source = await sourceOf(filePath, input, context);
  if (typeof source === 'string') return { type: 'failed', message: source };
  const replaced = replaceText(source, input);
  if (replaced.type !== 'replaced') return { type: 'failed', message: describeMismatch(filePath, replaced) };
  const failure = await storeFile(filePath, encodeText(replaced.text, source.shape), context.readFiles);
  if (failure !== null) return { type: 'failed', message: failure };
  const times = replaced.count === 1 ? '' : ` in ${replaced.count} places`;
  return {
    type: 'done',
    output: {
      filePath,
      oldString: input.old_string,
      newString: input.new_string,
      originalFile: source.text,
      structuredPatch: structuredPatch(source.text, replaced.text),
      userModified: false,
      replaceAll: input.replace_all,
    },
    content: source === NEW_FILE ? `Created ${filePath}.` : `Changed ${filePath}${times}.`,
  };
}

/** The text to change, or why it may not be changed. */
async function sourceOf(path: string, input: Input, { readFiles }: ToolContext): Promise<TextFile | string> {
  if (input.old_string === input.new_string) return 'old_string and new_string are equal: nothing to change.';
  const file = await loadFile(path);
  const refusal = whyNotOverwrite(path, file, readFiles);
  if (refusal !== null) return refusal;
  if (file.type !== 'file') return input.old_string === '' ? NEW_FILE : `${path} does not exist. Create it with Write.`;
  const source = decodeText(file.bytes);
  if (source === null) return `${path} is a binary file and cannot be edited.`;
  if (input.old_string !== '' || source.text === '') return source;
  return `${path} is not empty: set old_string to the text to replace.`;
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

function describeMismatch(path: string, mismatch: Exclude<ReplacedText, { type: 'replaced' }>): string {
  if (mismatch.type === 'notFound') {
    return `old_string does not occur in ${path}. Read the file again and copy the text exactly, spaces included.`;
  }
  return `old_string occurs ${mismatch.count} times in ${path}. Add lines around it until it is unique, or set replace_all.`;
}

export const editTool = defineTool({
  name: 'Edit',
  description,
  inputSchema,
  isReadOnly: () => false,
  observe: withAbsoluteFile,
  permission: (input, context) => ({ type: 'edit', path: pathForRules(input.file_path, context) }),
  summary: (input) => input.file_path,
  call: withoutProgress(edit),
});
