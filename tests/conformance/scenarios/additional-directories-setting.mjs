import fs from 'node:fs';
import { bash, calls, fate } from '../lib/calls.mjs';
export default {
  settings: (ctx) => { fs.mkdirSync(`${ctx.root}/more`); fs.writeFileSync(`${ctx.root}/more/a`, 'x\n'); return { hooks: fate(ctx) }; },
  userSettings: (ctx) => ({ permissions: { additionalDirectories: [`${ctx.root}/more`], defaultMode: 'acceptEdits' } }),
  keep: { noResults: true },
  model: calls((p) => ({ name: 'Read', input: { file_path: p.replace(/proj$/, 'more/a') } }), (p) => ({ name: 'Write', input: { file_path: p.replace(/proj$/, 'more/b'), content: 'b\n' } }), (p) => bash(`cat ${p.replace(/proj$/, 'more/a')}`)),
};
