import { bash, calls, read, tool } from '../lib/calls.mjs';
// line endings, a byte order mark and a missing last newline survive an edit
export default {
  files: { 'crlf.txt': 'one\r\ntwo\r\nthree\r\n', 'bom.txt': '\uFEFFone\ntwo\n', 'bare.txt': 'one\ntwo', 'tabs.txt': '\tone\n' },
  settings: {},
  args: ['--allowedTools', 'Bash', 'Edit'],
  side: (b) => b.messages.filter((m) => m.role === 'assistant').length < 8,
  model: (b) => { const n = b.messages.filter((m) => m.role === 'assistant').length; const e = (f) => (p) => tool('Edit', { file_path: `${p}/${f}`, old_string: 'one', new_string: 'uno' }); return calls(read('crlf.txt'), e('crlf.txt'), read('bom.txt'), e('bom.txt'), read('bare.txt'), e('bare.txt'), read('tabs.txt'), e('tabs.txt'), bash('for f in crlf bom bare tabs; do od -An -c $f.txt; done'))(b, { main: (b.tools ?? []).length > 2, n }); },
};
