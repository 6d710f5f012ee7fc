import { bash, calls, read, tool, write } from '../lib/calls.mjs';
// what the files hold after the calls: replaced everywhere, line ends kept, folders made
export default {
  files: { 'read.txt': 'one\none\n', 'crlf.txt': 'one\r\ntwo\r\n' },
  settings: {},
  args: ['--allowedTools', 'Bash', 'Write', 'Edit'],
  side: (b) => b.messages.filter((m) => m.role === 'assistant').length < 5,
  model: (b) => { const n = b.messages.filter((m) => m.role === 'assistant').length; return calls(read('read.txt'), (p) => tool('Edit', { file_path: `${p}/read.txt`, old_string: 'one', new_string: 'uno', replace_all: true }), read('crlf.txt'), (p) => tool('Edit', { file_path: `${p}/crlf.txt`, old_string: 'one\ntwo', new_string: 'uno\ndos' }), write('new/deep.txt', 'no newline'), bash('cat read.txt new/deep.txt; od -c crlf.txt | head -2'))(b, { main: (b.tools ?? []).length > 2, n }); },
};
