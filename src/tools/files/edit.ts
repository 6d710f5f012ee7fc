import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { type LoadedFile, loadFile, storeFile } from './diskFile.ts';
import { absolutePath, pathForRules, withAbsoluteFile } from './paths.ts';
import { whyNotOverwrite } from './readFiles.ts';
import { type Hunk, structuredPatch } from './structuredPatch.ts';
import { decodeText, encodeText, type TextFile, withLineEndsOf } from './textFile.ts';

const inputSchema = z.strictObject({
  file_path: z.string().min(1).describe('The file, best as an absolute path.'),
  old_string: z.string().describe('The exact text to replace, with its indentation; empty to create a file.'),
  new_string: z.string().describe('What to put in its place.'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence; otherwise there must be exactly one.'),
});

type Input = z.output<typeof inputSchema>;

interface Output {
  readonly filePath: string;
  readonly oldString: string;
  readonly newString: string;
  readonly originalFile: string;
  readonly structuredPatch: readonly Hunk[];
  readonly userModified: false;
  readonly replaceAll: boolean;
}

const description = `Replaces an exact text in a file.

- The file must have been read in this session first.
- old_string is the text as it is in the file, without the line numbers that Read shows.
- It must occur exactly once: add lines around it until it does, or set replace_all.`;

const NEW_FILE: TextFile = { text: '', shape: { encoding: 'utf8', hasByteOrderMark: false, usesCrlf: false } };

async function edit(input: Input, context: ToolContext): Promise<ToolOutcome<Output>> {
  const filePath = absolutePath(input.file_path, context);
  const before = await loadFile(filePath);
  const source = sourceOf(filePath, before, { input, context });
  if (typeof source === 'string') return { type: 'failed', message: source };
  const replaced = replace(source, input);
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
    content: before.type === 'missing' ? `Created ${filePath}.` : `Changed ${filePath}${times}.`,
  };
}

/** The text to change, or why it may not be changed. */
function sourceOf(
  path: string,
  file: LoadedFile,
  { input, context }: { readonly input: Input; readonly context: ToolContext },
): TextFile | string {
  if (input.old_string === input.new_string) return 'old_string and new_string are equal: nothing to change.';
  if (file.type === 'unusable') return file.message;
  if (file.type === 'missing') {
    return input.old_string === '' ? NEW_FILE : `${path} does not exist. Create it with Write.`;
  }
  const refusal = whyNotOverwrite(path, context.readFiles.recall(file.realPath), file.seen);
  if (refusal !== null) return refusal;
  const source = decodeText(file.bytes);
  if (source === null) return `${path} is a binary file and cannot be edited.`;
  if (input.old_string !== '' || source.text === '') return source;
  return `${path} is not empty: set old_string to the text to replace.`;
}

function replace(source: TextFile, input: Input): ReplacedText {
  if (input.old_string === '') return { type: 'replaced', text: input.new_string, count: 1 };
  const { old_string: oldString, new_string: newString, replace_all: replaceAll } = input;
  return replaceText(source, { oldString, newString, replaceAll });
}

interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

type ReplacedText =
  | { readonly type: 'replaced'; readonly text: string; readonly count: number }
  | { readonly type: 'notFound' }
  | { readonly type: 'ambiguous'; readonly count: number };

/**
 * Replaces an exact text. Models write `\n`: in a file with only CRLF both texts are read as CRLF first, in other files
 * second. Lines outside the match keep their line ends.
 */
export function replaceText({ text, shape }: TextFile, replacement: Replacement): ReplacedText {
  const asWritten = { from: replacement.oldString, to: replacement.newString };
  const withCrlf = { from: crlf(replacement.oldString), to: crlf(replacement.newString) };
  const tries = shape.usesCrlf ? [withCrlf, asWritten] : [asWritten, withCrlf];
  for (const { from, to } of tries) {
    const parts = text.split(from);
    const count = parts.length - 1;
    if (count === 0) continue;
    if (count > 1 && !replacement.replaceAll) return { type: 'ambiguous', count };
    return { type: 'replaced', text: parts.join(to), count };
  }
  return { type: 'notFound' };
}

const crlf = (text: string) => withLineEndsOf({ encoding: 'utf8', hasByteOrderMark: false, usesCrlf: true }, text);

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
