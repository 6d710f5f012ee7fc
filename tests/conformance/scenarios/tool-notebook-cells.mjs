import { bash, calls, fate, read, tool } from '../lib/calls.mjs';

const cell = (id, source) => ({ cell_type: 'code', id, metadata: {}, source, outputs: [], execution_count: 3 });
const text = { cell_type: 'markdown', id: 'm1', metadata: {}, source: '# T' };
const nb = JSON.stringify({ cells: [cell('c1', ['1+1\n', '2']), text, cell('c3', 'x')], metadata: {}, nbformat: 4, nbformat_minor: 5 });
const edit = (more) => (p) => tool('NotebookEdit', { notebook_path: `${p}/n.ipynb`, ...more });
const sources = `node -e "for (const c of JSON.parse(require('fs').readFileSync('n.ipynb')).cells) console.log(c.cell_type, [c.source].flat().join(''), c.execution_count)"`;
// NotebookEdit in each mode, and what the file is then
export default {
  files: { 'n.ipynb': nb },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(
    read('n.ipynb'),
    edit({ cell_id: 'c1', new_source: 'replaced' }),
    edit({ cell_id: 'm1', new_source: 'behind', edit_mode: 'insert', cell_type: 'code' }),
    edit({ new_source: 'top', edit_mode: 'insert', cell_type: 'markdown' }),
    edit({ cell_id: 'm1', new_source: '', edit_mode: 'delete' }),
    edit({ cell_id: 'cell-0', new_source: 'by place' }),
    // fails unless both made the same notebook of it
    bash(`[ "$(${sources} | tr '\\n' ';')" = "markdown by place undefined;code replaced null;code behind null;code x 3;" ]`),
  ),
};
