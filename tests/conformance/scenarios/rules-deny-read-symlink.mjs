import fs from 'node:fs';
import { bash, calls, fate, read } from '../lib/calls.mjs';
// a link to what a rule denies
export default {
  files: { 'secret/s.txt': 's\n', a: 'x\n' },
  settings: (ctx) => { fs.symlinkSync('secret', `${ctx.proj}/link`); fs.symlinkSync('../secret', `${ctx.proj}/.claude/up`); return { permissions: { deny: ['Read(secret/**)', 'Edit(secret/**)'] }, hooks: fate(ctx) }; },
  args: ['--allowedTools', 'Bash', 'Read', 'Write'],
  keep: { noResults: true },
  model: calls(read('link/s.txt'), read('.claude/up/s.txt'), bash('cat link/s.txt'), (p) => ({ name: 'Write', input: { file_path: `${p}/link/new.txt`, content: 'x' } })),
};
