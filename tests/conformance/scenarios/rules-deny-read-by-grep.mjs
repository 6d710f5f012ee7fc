import { calls, fate, tool } from '../lib/calls.mjs';
// a deny rule for Read and the tools that look into files
export default {
  files: { 'secret.env': 'KEY=hidden\n', 'open.txt': 'KEY=open\n', 'deny/x.txt': 'KEY=deep\n' },
  settings: (ctx) => ({ permissions: { deny: ['Read(*.env)', 'Read(./deny/**)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Grep', 'Glob', 'Read'],
  keep: { noResults: true },
  model: calls((p) => tool('Grep', { pattern: 'KEY', path: p, output_mode: 'content' }), (p) => tool('Grep', { pattern: 'KEY', path: `${p}/deny`, output_mode: 'content' }), (p) => tool('Grep', { pattern: 'KEY', path: `${p}/secret.env`, output_mode: 'content' }), (p) => tool('Glob', { pattern: '**/*', path: p })),
};
