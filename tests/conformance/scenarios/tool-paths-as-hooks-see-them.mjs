import { on, probe } from '../lib/probe.mjs';
const call = (name, input) => ({ text: name, tools: [{ name, input }] });
// relative, dotted, `~` and empty paths of every tool that takes one
export default {
  files: { 'a.txt': 'one\n', 'sub/n.ipynb': JSON.stringify({ cells: [{ cell_type: 'code', id: 'c1', source: 'x', metadata: {}, outputs: [], execution_count: null }], metadata: {}, nbformat: 4, nbformat_minor: 5 }) },
  settings: (ctx) => on({
    PreToolUse: probe(ctx, 'pre', (i) => ({ note: [i.tool_name, i.tool_input] })),
    PermissionRequest: probe(ctx, 'asked', (i) => ({ note: [i.tool_name, i.tool_input] })),
    PostToolUseFailure: probe(ctx, 'failed', (i) => ({ note: [i.tool_name, i.tool_input] })),
    PostToolBatch: probe(ctx, 'batch', (i) => ({ note: i.tool_calls.map((c) => [c.tool_name, c.tool_input]) })),
  }),
  keep: { noResults: true, order: true },
  script: [
    call('Read', { file_path: 'a.txt' }),
    call('Read', { file_path: './sub/../a.txt' }),
    call('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'uno' }),
    call('Write', { file_path: '~/b.txt', content: 'x' }),
    call('Write', { file_path: '../outside.txt', content: 'x' }),
    call('Read', { file_path: 'nothing/here.txt' }),
    call('Read', { file_path: ' a.txt' }),
    { text: 'finished' },
  ],
};
