import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { loadFile, storeFile } from './diskFile.ts';
import { absolutePath, pathForRules, withAbsoluteFile } from './paths.ts';
import { whyNotOverwrite } from './readFiles.ts';
import { type Hunk, structuredPatch } from './structuredPatch.ts';
import { decodeText, encodeText, type TextFile, withLineEndsOf } from './textFile.ts';

const inputSchema = z.strictObject({
  file_path: z.string().min(1).describe('The file, best as an absolute path.'),
  content: z.string().describe('The complete new content.'),
});

type Input = z.output<typeof inputSchema>;

interface Output {
  readonly type: 'create' | 'update';
  readonly filePath: string;
  readonly content: string;
  readonly structuredPatch: readonly Hunk[];
  readonly originalFile: string | null;
  readonly userModified: false;
}

const description = `Writes a complete file: creates it, with its directories, or replaces it.

- An existing file must have been read in this session first.
- To change a part of a file use Edit.`;

async function write(input: Input, context: ToolContext): Promise<ToolOutcome<Output>> {
  const filePath = absolutePath(input.file_path, context);
  const before = await loadFile(filePath);
  if (before.type === 'unusable') return { type: 'failed', message: before.message };
  const seen = before.type === 'file' ? context.readFiles.recall(before.realPath) : undefined;
  const refusal = before.type === 'file' ? whyNotOverwrite(filePath, seen, before.seen) : null;
  if (refusal !== null) return { type: 'failed', message: refusal };
  const original = before.type === 'file' ? decodeText(before.bytes) : null;
  const failure = await storeFile(filePath, bytesFor(input.content, original), context.readFiles);
  if (failure !== null) return { type: 'failed', message: failure };
  const type = before.type === 'file' ? 'update' : 'create';
  const patch = original ? structuredPatch(original.text, withLineEndsOf(original.shape, input.content)) : [];
  return {
    type: 'done',
    output: {
      type,
      filePath,
      content: input.content,
      structuredPatch: patch,
      originalFile: original?.text ?? null,
      userModified: false,
    },
    content: `${type === 'create' ? 'Created' : 'Replaced'} ${filePath}.`,
  };
}

function bytesFor(content: string, original: TextFile | null): Buffer {
  if (original === null) return Buffer.from(content, 'utf8');
  return encodeText(withLineEndsOf(original.shape, content), original.shape);
}

export const writeTool = defineTool({
  name: 'Write',
  description,
  inputSchema,
  isReadOnly: () => false,
  observe: withAbsoluteFile,
  permission: (input, context) => ({ type: 'edit', path: pathForRules(input.file_path, context) }),
  summary: (input) => input.file_path,
  call: withoutProgress(write),
});
