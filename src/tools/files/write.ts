import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { CHANGED_SINCE, IS_CURRENT, knowledgeOf, type LoadedFile, loadFile, storeFile } from './diskFile.ts';
import { absolutePath, pathForRules, withAbsoluteFile } from './paths.ts';
import { decodeText, encodeText, withLineEndsOf } from './textFile.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    file_path: z.string().min(1).describe('The file, best as an absolute path.'),
    content: z.string().describe('The complete new content.'),
  }),
);

const description = `Writes a complete file: creates it, with its directories, or replaces it.

- A file that changed after you read it must be read again first.
- To change a part of a file use Edit.`;

async function write(input: z.output<typeof inputSchema>, context: ToolContext): Promise<ToolOutcome> {
  const filePath = absolutePath(input.file_path, context);
  const before = await loadFile(filePath);
  const refusal = whyNotReplace(filePath, before, context);
  if (refusal !== undefined) return { type: 'failed', message: refusal };
  const original = before.type === 'file' ? decodeText(before.bytes) : null;
  const content = original ? withLineEndsOf(original.shape, input.content) : input.content;
  const bytes = original ? encodeText(content, original.shape) : Buffer.from(content);
  const { structuredPatch } = await import('./structuredPatch.ts');
  const failure = await storeFile(filePath, bytes, context.readFiles);
  if (failure !== null) return { type: 'failed', message: failure };
  const type = before.type === 'file' ? 'update' : 'create';
  return {
    type: 'done',
    output: {
      type,
      filePath,
      content: input.content,
      structuredPatch: original ? structuredPatch(original.text, content) : [],
      originalFile: original?.text ?? null,
      userModified: false,
    },
    content: `${type === 'create' ? `File created successfully at: ${filePath}` : `The file ${filePath} has been updated successfully.`}${IS_CURRENT}`,
  };
}

/** Measured: a file that was never read may be replaced; one that was read and has changed since must be read again. */
function whyNotReplace(path: string, file: LoadedFile, { readFiles }: ToolContext): string | undefined {
  if (file.type === 'missing') return undefined;
  if (file.type === 'file') return knowledgeOf(file, readFiles) === 'stale' ? CHANGED_SINCE : undefined;
  return file.isFolder
    ? `${path} is a directory, not a file. To create a file inside it, include the file name in file_path.`
    : file.message;
}

export const writeTool = defineTool({
  name: 'Write',
  description,
  inputSchema,
  isReadOnly: () => false,
  observe: withAbsoluteFile,
  whyNot: async (input, context) => {
    const filePath = absolutePath(input.file_path, context);
    return whyNotReplace(filePath, await loadFile(filePath), context);
  },
  permission: (input, context) => ({ type: 'edit', path: pathForRules(input.file_path, context) }),
  summary: (input) => input.file_path,
  call: withoutProgress(write),
});
