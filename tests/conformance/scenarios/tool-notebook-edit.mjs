import { calls, fate, read, tool } from '../lib/calls.mjs';
const nb = JSON.stringify({ cells: [{ cell_type: 'code', id: 'c1', metadata: {}, source: ['1+1'], outputs: [], execution_count: null }], metadata: {}, nbformat: 4, nbformat_minor: 5 });
// NotebookEdit under a rule for Edit, and without a Read before it
export default {
  files: { 'n.ipynb': nb, 'm.ipynb': nb },
  settings: fate2,
  args: ['--permission-mode', 'acceptEdits'],
  keep: { noResults: true },
  model: calls(read('n.ipynb'), (p) => tool('NotebookEdit', { notebook_path: `${p}/n.ipynb`, cell_id: 'c1', new_source: '2+2' }), (p) => tool('NotebookEdit', { notebook_path: `${p}/m.ipynb`, cell_id: 'c1', new_source: '3' })),
};
function fate2(ctx) { return { hooks: fate(ctx) }; }
