import fs from 'node:fs';
import { bash, calls, fate, read, write } from '../lib/calls.mjs';
// a folder beside the project that --add-dir lets in: reads, edits and commands there
export default {
  settings: (ctx) => { fs.mkdirSync(`${ctx.root}/more`); fs.writeFileSync(`${ctx.root}/more/a`, 'x\n'); return { hooks: fate(ctx) }; },
  args: (ctx) => ['--permission-mode', 'acceptEdits', '--add-dir', `${ctx.root}/more`],
  keep: { noResults: true },
  model: calls((p) => read(`${p}/../more/a`)(p), (p) => ({ name: 'Write', input: { file_path: p.replace(/proj$/, 'more/b'), content: 'b\n' } }), (p) => bash(`touch ${p.replace(/proj$/, 'more/c')}`), (p) => bash(`cat ${p.replace(/proj$/, 'more/a')}`)),
};
