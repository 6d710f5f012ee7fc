import { calls, fate, read } from '../lib/calls.mjs';
// at which depth a deny rule with a slash holds
const files = ['lib/a.txt', 'deep/lib/a.txt', 'src/x.ts', 'deep/src/x.ts', 'a/m/b.txt', 'deep/a/m/b.txt', 'keys/k', 'deep/keys/k', 'LIB/A.TXT', 'top/t', 'deep/top/t'];
export default {
  files: Object.fromEntries(files.map((f) => [f, 'x\n'])),
  settings: (ctx) => ({ permissions: { deny: ['Read(lib/a.txt)', 'Read(src/*.ts)', 'Read(a/**/b.txt)', 'Read(./keys/k)', 'Read(/top)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Read'],
  keep: { noResults: true },
  model: calls(...files.map((f) => read(f))),
};
