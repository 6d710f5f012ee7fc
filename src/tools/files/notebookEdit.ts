import * as z from 'zod';
import { defineTool, type ToolOutcome, withoutProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { CHANGED_SINCE, knowledgeOf, loadFile, NOT_READ, storeFile } from './diskFile.ts';
import { changeNotebook, languageOf, notebookText, parseNotebook } from './notebook.ts';
import { absolutePath, pathForRules } from './paths.ts';
import { decodeText, encodeText, type TextFile } from './textFile.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    notebook_path: z.string().min(1).describe('The notebook (.ipynb), best as an absolute path.'),
    cell_id: z
      .string()
      .optional()
      .describe(
        'The cell to change, or the one after which to insert: its id, or cell-N, counted from 0, if cells have no ids.',
      ),
    new_source: z.string().describe("The cell's new source."),
    cell_type: z.enum(['code', 'markdown']).optional().describe('Required for insert; unchanged by default.'),
    edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('What to do; replace by default.'),
  }),
);

type Input = z.output<typeof inputSchema>;

const description = `Replaces, inserts or deletes one cell of a Jupyter notebook.

- The notebook must have been read in this session first.
- insert adds a new cell after cell_id, or at the top without one.
- A replaced code cell loses its output.`;

/** The notebook's text, or why it may not be changed. */
async function textToChange(path: string, { readFiles }: ToolContext): Promise<TextFile | string> {
  if (!path.endsWith('.ipynb'))
    return 'File must be a Jupyter notebook (.ipynb file). For editing other file types, use the FileEdit tool.';
  const file = await loadFile(path);
  // before the rules are checked: do not reveal whether an unread file exists
  if (file.type !== 'file') return NOT_READ;
  const knowledge = knowledgeOf(file, readFiles);
  if (knowledge !== 'current') return knowledge === 'unread' ? NOT_READ : CHANGED_SINCE;
  return decodeText(file.bytes) ?? `${path} is a binary file and cannot be edited.`;
}

async function edit(input: Input, context: ToolContext): Promise<ToolOutcome> {
  const path = absolutePath(input.notebook_path, context);
  const failed = (message: string) => ({ type: 'failed', message }) as const;
  const source = await textToChange(path, context);
  if (typeof source === 'string') return failed(source);
  const before = parseNotebook(source.text);
  if (typeof before === 'string') return failed(before);
  const { new_source, edit_mode = 'replace' } = input;
  const newId = context.toolUseId.replaceAll(/[^a-zA-Z0-9]/g, '').slice(-8) || 'cell';
  const taken = before.cells.some(({ id }) => id === newId);
  const changed = changeNotebook(before, {
    cellId: input.cell_id,
    source: new_source,
    mode: edit_mode,
    cellType: input.cell_type,
    newId: taken ? `${newId}-${before.cells.length}` : newId,
  });
  if (changed.type === 'impossible') return failed(changed.message);
  const updated = notebookText(changed.notebook);
  const failure = await storeFile(path, encodeText(updated, source.shape), context.readFiles);
  if (failure !== null) return failed(failure);
  return {
    type: 'done',
    output: {
      new_source,
      ...(changed.oldSource === undefined ? {} : { old_source: changed.oldSource }),
      cell_type: changed.cellType,
      language: languageOf(before),
      edit_mode,
      cell_id: changed.cellId,
      error: '',
      notebook_path: path,
      original_file: source.text,
      updated_file: updated,
    },
    content: MESSAGES[edit_mode](changed.cellId, new_source),
  };
}

const MESSAGES: Readonly<Record<NonNullable<Input['edit_mode']>, (id: string, source: string) => string>> = {
  replace: (id, source) => `Updated cell ${id} with ${source}`,
  insert: (id, source) => `Inserted cell ${id} with ${source}`,
  delete: (id) => `Deleted cell ${id}`,
};

export const notebookEditTool = defineTool({
  name: 'NotebookEdit',
  description,
  inputSchema,
  isReadOnly: () => false,
  observe: (input, context) => ({ ...input, notebook_path: absolutePath(input.notebook_path, context) }),
  whyNot: async (input, context) => {
    const source = await textToChange(absolutePath(input.notebook_path, context), context);
    return typeof source === 'string' ? source : undefined;
  },
  permission: (input, context) => ({ type: 'edit', path: pathForRules(input.notebook_path, context) }),
  summary: (input) => input.notebook_path,
  call: withoutProgress(edit),
});
