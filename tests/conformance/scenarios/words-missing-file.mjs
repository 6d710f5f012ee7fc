import { calls, read, tool, write } from '../lib/calls.mjs';
// what the model hears of a missing file beside which a similar one is, and of folders that are missing
export default {
  files: { 'config.yaml': 'a: 1\n', 'src/handler.ts': 'x\n' },
  settings: {},
  args: ['--permission-mode', 'acceptEdits'],
  model: calls(read('config.yml'), read('sr/handler.ts'), read('src/handler.js'), (p) => tool('Edit', { replace_all: false, file_path: `${p}/config.yml`, old_string: 'a', new_string: 'b' }), write('new/deep/x.txt'), (p) => tool('NotebookEdit', { notebook_path: `${p}/config.yaml`, new_source: 'x' }), (p) => tool('NotebookEdit', { notebook_path: `${p}/none.ipynb`, new_source: 'x' })),
};
