import { calls, fate, read, trusted } from '../lib/calls.mjs';
// allow rules for Read outside the working folders
export default {
  files: { '../outside/a.txt': 'x\n', '../outside/deep/b.txt': 'x\n', '../home/notes/n.txt': 'x\n', '../other/c.txt': 'x\n' },
  settings: (ctx) => (trusted(ctx), { permissions: { allow: [`Read(/${ctx.root}/outside/**)`, 'Read(~/notes/**)'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls((p) => read(`${p.replace(/proj$/, '')}outside/a.txt`)(p), (p) => read(`${p.replace(/proj$/, '')}outside/deep/b.txt`)(p), (p) => read(`${p.replace(/proj$/, '')}home/notes/n.txt`)(p), (p) => read(`${p.replace(/proj$/, '')}other/c.txt`)(p)),
};
