import * as z from 'zod';

const cell = z.lazy(() =>
  z.looseObject({
    cell_type: z.string(),
    id: z.string().optional(),
    source: z.union([z.string(), z.array(z.string())]),
  }),
);

const notebook = z.lazy(() =>
  z.looseObject({
    cells: z.array(cell),
    nbformat: z.number().optional(),
    nbformat_minor: z.number().optional(),
    metadata: z.looseObject({ language_info: z.looseObject({ name: z.string() }).optional() }).optional(),
  }),
);

type Cell = z.output<typeof cell>;
export type Notebook = z.output<typeof notebook>;

type EditMode = 'replace' | 'insert' | 'delete';

interface NotebookChange {
  readonly cellId?: string | undefined;
  readonly source: string;
  readonly mode: EditMode;
  readonly cellType?: 'code' | 'markdown' | undefined;
  /** The id of an inserted cell. */
  readonly newId: string;
}

type ChangedNotebook =
  | {
      readonly type: 'changed';
      readonly notebook: Notebook;
      readonly cellId: string;
      readonly cellType: string;
      readonly oldSource?: string;
    }
  | { readonly type: 'impossible'; readonly message: string };

/** A notebook, or why the text is not one. */
export function parseNotebook(text: string): Notebook | string {
  try {
    const parsed = notebook.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return `It is not a Jupyter notebook: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`;
  } catch (error) {
    return `Notebook file is not valid JSON (it may be truncated, corrupted, or still being written): ${(error as Error).message}`;
  }
}

/** As Jupyter writes it: indented by one space per level. */
export const notebookText = (changed: Notebook): string => JSON.stringify(changed, null, 1);

export const languageOf = ({ metadata }: Notebook): string => metadata?.language_info?.name ?? 'python';

/** Replaces, inserts (after another cell or at the top) or deletes one cell. */
export function changeNotebook(before: Notebook, change: NotebookChange): ChangedNotebook {
  const { cellId, mode, cellType } = change;
  if (mode === 'insert' && cellType === undefined)
    return impossible('Cell type is required when using edit_mode=insert.');
  if (cellId === undefined && mode !== 'insert')
    return impossible('Cell ID must be specified when not inserting a new cell.');
  const at = cellId === undefined ? -1 : indexOf(before, cellId);
  if (typeof at === 'string') return impossible(at);
  return MODES[mode](before, at, change);
}

const impossible = (message: string) => ({ type: 'impossible', message }) as const;

/** A cell's index by its id, or by `cell-N`. */
function indexOf({ cells }: Notebook, cellId: string): number | string {
  const byId = cells.findIndex(({ id }) => id === cellId);
  if (byId !== -1) return byId;
  const numbered = /^cell-(\d{1,9})$/.exec(cellId)?.[1];
  if (numbered === undefined) return `Cell with ID "${cellId}" not found in notebook.`;
  return Number(numbered) < cells.length ? Number(numbered) : `Cell with index ${numbered} does not exist in notebook.`;
}

const MODES: Readonly<Record<EditMode, (before: Notebook, at: number, change: NotebookChange) => ChangedNotebook>> = {
  replace: (before, at, { source, cellType, cellId = '' }) => {
    const old = before.cells[at];
    if (!old) return impossible(`Cell with ID "${cellId}" not found in notebook.`);
    const type = cellType ?? old.cell_type;
    const { outputs: _, execution_count: __, ...rest } = old;
    // the old output does not belong to the new source; other kinds of cells have no output
    const replaced: Cell = { ...rest, cell_type: type, source, ...(type === 'code' ? NEVER_RUN : {}) };
    const cells = before.cells.with(at, replaced);
    return { type: 'changed', notebook: { ...before, cells }, cellId, cellType: type, oldSource: sourceOf(old) };
  },
  insert: (before, at, { source, cellType = 'code', newId }) => {
    const hasIds = (before.nbformat ?? 4) > 4 || (before.nbformat === 4 && (before.nbformat_minor ?? 0) >= 5);
    const added: Cell = {
      cell_type: cellType,
      ...(hasIds ? { id: newId } : {}),
      metadata: {},
      source,
      ...(cellType === 'code' ? NEVER_RUN : {}),
    };
    const cells = before.cells.toSpliced(at + 1, 0, added);
    return { type: 'changed', notebook: { ...before, cells }, cellId: hasIds ? newId : `cell-${at + 1}`, cellType };
  },
  delete: (before, at, { cellId = '' }) => {
    const old = before.cells[at];
    if (!old) return impossible(`Cell with ID "${cellId}" not found in notebook.`);
    const cells = before.cells.toSpliced(at, 1);
    const facts = { cellId, cellType: old.cell_type, oldSource: sourceOf(old) };
    return { type: 'changed', notebook: { ...before, cells }, ...facts };
  },
};

const NEVER_RUN = { execution_count: null, outputs: [] };

const sourceOf = ({ source }: Cell): string => (typeof source === 'string' ? source : source.join(''));
