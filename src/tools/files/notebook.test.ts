import { describe, expect, it } from 'vitest';
import { changeNotebook, type Notebook, parseNotebook } from './notebook.ts';

const code = (id: string | undefined, source: string | string[]) => ({
  cell_type: 'code',
  ...(id === undefined ? {} : { id }),
  metadata: { tags: ['keep'] },
  source,
  outputs: [{ text: '2' }],
  execution_count: 3,
});
const notebook = (minor = 5): Notebook => ({
  cells: [code('c1', ['1+1\n', '2']), { cell_type: 'markdown', id: 'm1', metadata: {}, source: '# T' }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: minor,
});
const change = (more: object) => ({ source: 'new', mode: 'replace', newId: 'n1', ...more }) as const;
const cellsAfter = (more: object, before = notebook()) => {
  const changed = changeNotebook(before, change(more));
  return changed.type === 'changed' ? changed.notebook.cells : changed.message;
};

describe('changing a notebook', () => {
  it('replaces a source, keeps the rest and drops the old output', () => {
    const [first, second] = cellsAfter({ cellId: 'c1' });
    expect(first).toEqual({ ...code('c1', 'new'), outputs: [], execution_count: null });
    expect(second).toEqual(notebook().cells[1]);
    expect(changeNotebook(notebook(), change({ cellId: 'c1' }))).toMatchObject({
      oldSource: '1+1\n2',
      cellType: 'code',
    });
  });

  it('turns a code cell into text without outputs', () => {
    const [first] = cellsAfter({ cellId: 'c1', cellType: 'markdown' });
    expect(first).toEqual({ cell_type: 'markdown', id: 'c1', metadata: { tags: ['keep'] }, source: 'new' });
  });

  it.each([
    ['c1', ['c1', 'n1', 'm1']],
    ['m1', ['c1', 'm1', 'n1']],
    [undefined, ['n1', 'c1', 'm1']],
    ['cell-0', ['c1', 'n1', 'm1']],
  ])('inserts behind %s: %j', (cellId, ids) => {
    const cells = cellsAfter({ cellId, mode: 'insert', cellType: 'code' });
    expect(typeof cells === 'string' ? cells : cells.map(({ id }) => id)).toEqual(ids);
  });

  it('gives a new cell no id where the format has none', () => {
    const [first] = cellsAfter({ mode: 'insert', cellType: 'markdown' }, notebook(4));
    expect(first).toEqual({ cell_type: 'markdown', metadata: {}, source: 'new' });
  });

  it('deletes one cell', () => {
    expect(cellsAfter({ cellId: 'c1', mode: 'delete' })).toEqual([notebook().cells[1]]);
  });

  it.each([
    [{ cellId: 'zz' }, 'Cell with ID "zz" not found in notebook.'],
    [{ cellId: 'cell-9' }, 'Cell with index 9 does not exist in notebook.'],
    [{}, 'Cell ID must be specified when not inserting a new cell.'],
    [{ cellId: 'c1', mode: 'insert' }, 'Cell type is required when using edit_mode=insert.'],
  ])('%j is impossible: %s', (more, message) => {
    expect(cellsAfter(more)).toBe(message);
  });

  it.each(['{', '[]', '{"cells":[{}]}', '{"cells":5}'])('%s is not a notebook', (text) => {
    expect(parseNotebook(text)).toMatch(/^(Notebook file is not valid JSON|It is not a Jupyter notebook)/);
  });
});
