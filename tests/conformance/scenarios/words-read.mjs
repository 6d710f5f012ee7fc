import { calls, read } from '../lib/calls.mjs';
// what the model hears of Read
export default {
  files: { 'a.txt': 'one\ntwo\nthree\nfour\n', 'empty.txt': '', 'nonl.txt': 'x', 'crlf.txt': 'a\r\nb\r\n', 'long.txt': `${'x'.repeat(3000)}\ny\n`, 'blank.txt': '\n\n\n' },
  settings: {},
  model: calls(read('a.txt'), read('a.txt', { offset: 2, limit: 2 }), read('a.txt', { offset: 9 }), read('empty.txt'), read('nonl.txt'), read('crlf.txt'), read('blank.txt'), read('long.txt', { limit: 1, offset: 2 }), read('none.md'), read('.'), read('a.txt')),
};
