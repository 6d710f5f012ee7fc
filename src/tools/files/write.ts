import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { loadFile, storeFile, whyNotOverwrite } from './diskFile.ts';
import { absolutePath, pathForRules, withAbsoluteFile } from './paths.ts';
import { structuredPatch } from './structuredPatch.ts';
import { decodeText, encodeText, withLineEndsOf } from './textFile.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    file_path: z.string().min(1).describe('The file, best as an absolute path.'),
    content: z.string().describe('The complete new content.'),
  }),
);

const description = `Writes a complete file: creates it, with its directories, or replaces it.

- An existing file must have been read in this session first.
- To change a part of a file use Edit.`;

async function write(input: z.output<typeof inputSchema>, context: ToolContext): Promise<ToolOutcome> {
  const filePath = absolutePath(input.file_path, context);
  const before = await loadFile(filePath);
  const refusal = whyNotOverwrite(filePath, before, context.readFiles);
  if (refusal !== null) return { type: 'failed', message: refusal };
  const original = before.type === 'file' ? decodeText(before.bytes) : null;
  const content = original ? withLineEndsOf(original.shape, input.content) : input.content;
  const bytes = original ? encodeText(content, original.shape) : Buffer.from(content);
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
    content: `${type === 'create' ? 'Created' : 'Replaced'} ${filePath}.`,
  };
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
