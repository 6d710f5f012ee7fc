import { calls, fate, read, tool, trusted } from '../lib/calls.mjs';
// reading outside the working folders asks
export default {
  files: { '../outside/a.txt': 'x\n', '../added/a.txt': 'x\n', '../extra/a.txt': 'x\n', a: 'x\n' },
  settings: (ctx) => (trusted(ctx), { permissions: { additionalDirectories: [`${ctx.root}/extra`] }, hooks: fate(ctx) }),
  args: ({ root }) => ['--add-dir', `${root}/added`],
  keep: { noResults: true },
  model: calls(read('a'), (p) => read(`${p}/../outside/a.txt`)(p), (p) => read(`${p}/../added/a.txt`)(p), (p) => read(`${p}/../extra/a.txt`)(p), (p) => tool('Write', { file_path: `${p}/../added/b.txt`, content: 'x' })),
};
