import { calls, tool } from '../lib/calls.mjs';
// what the model hears of Glob and Grep
export default {
  files: { 'a.txt': 'one\ntwo\nthree\n', 'b/c.txt': 'two\n', 'b/d.js': 'let two = 2\n' },
  settings: {},
  args: ['--allowedTools', 'Glob', 'Grep'],
  model: calls((p) => tool('Grep', { pattern: 'two', path: p, glob: 'a*.txt' }), () => tool('Grep', { pattern: 'two', glob: 'a.txt', output_mode: 'content', '-n': true, '-B': 1 }), () => tool('Grep', { pattern: 'two', output_mode: 'count', type: 'js' }), () => tool('Grep', { pattern: 'nothing-there-at-all' }), () => tool('Grep', { pattern: 'nothing-there', output_mode: 'content' }), () => tool('Grep', { pattern: '(' }), (p) => tool('Grep', { pattern: 'two', path: `${p}/missing` }), () => tool('Glob', { pattern: '**/*.js' }), () => tool('Glob', { pattern: '*.none' }), (p) => tool('Glob', { pattern: '*', path: `${p}/missing` }), () => tool('Grep', { pattern: 'TWO', '-i': true, output_mode: 'content', glob: 'a.txt', head_limit: 1 })),
};
