import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { loadFile } from './diskFile.ts';
import { fitImage } from './image/fitImage.ts';
import { imageType } from './image/imageHeader.ts';
import { describeMissing } from './missingFile.ts';
import { pageOfLines } from './pageOfLines.ts';
import { absolutePath, pathForRules, withAbsoluteFile } from './paths.ts';
import { decodeText } from './textFile.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    file_path: z.string().min(1).describe('The file, best as an absolute path.'),
    offset: z.int().nonnegative().optional().describe('The first line to read, counted from 1.'),
    limit: z.int().positive().optional().describe('How many lines to read; 2000 by default.'),
  }),
);

type Input = z.output<typeof inputSchema>;

const description = `Reads a file. Text has line numbers, which are not part of the file.

- Up to 2000 lines per call: use offset and limit for the rest of a long file.
- PNG, JPEG, GIF and WebP images are shown. Other binary files and directories are refused.
- Read a file before you change it with Edit or replace it with Write.`;

async function read(input: Input, context: ToolContext): Promise<ToolOutcome> {
  const path = absolutePath(input.file_path, context);
  const file = await loadFile(path);
  if (file.type === 'missing')
    return { type: 'failed', message: await describeMissing(path, context.directory.current()) };
  if (file.type === 'unusable') return { type: 'failed', message: file.message };
  const image = imageType(file.bytes);
  if (image !== null) return showImage(path, file.bytes, image);
  const decoded = decodeText(file.bytes);
  if (decoded === null) {
    return {
      type: 'failed',
      message: `${path} is a binary file. Inspect it with a command, such as \`file\` or \`xxd\`.`,
    };
  }
  context.readFiles.set(file.realPath, file.digest);
  return showText(path, decoded.text, input);
}

const EMPTY = '<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>';

function showText(filePath: string, text: string, { offset, limit }: Input): ToolOutcome {
  const { numbered, notes, ...page } = pageOfLines(text, offset, limit);
  const content = text === '' ? EMPTY : [numbered, ...notes].filter(Boolean).join('\n\n');
  return { type: 'done', output: { type: 'text', file: { filePath, ...page } }, content };
}

async function showImage(path: string, original: Buffer, originalType: string): Promise<ToolOutcome> {
  const fitted = await fitImage(original, originalType);
  if (fitted.type === 'tooLarge') return { type: 'failed', message: `${path} ${fitted.why}` };
  const { bytes, mediaType, note } = fitted;
  const base64 = bytes.toString('base64');
  const image = { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } } as const;
  return {
    type: 'done',
    output: { type: 'image', file: { base64, type: mediaType, originalSize: original.length } },
    content: note === undefined ? [image] : [{ type: 'text', text: note }, image],
  };
}

export const readTool = defineTool({
  name: 'Read',
  description,
  inputSchema,
  isReadOnly: () => true,
  observe: withAbsoluteFile,
  permission: (input, context) => ({ type: 'read', path: pathForRules(input.file_path, context) }),
  readsFile: (input) => input.file_path,
  summary: (input) => input.file_path,
  call: withoutProgress(read),
});
