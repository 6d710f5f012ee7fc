import { calls, read } from '../lib/calls.mjs';
const lines = (n) => Array.from({ length: n }, (_, k) => `line ${k + 1}\n`).join('');
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
// what the model hears of the end of a long file, and of an image
export default {
  files: { 'many.txt': lines(2500), 'p.png': png },
  settings: {},
  model: calls(read('many.txt', { offset: 2499 }), read('many.txt', { offset: 2500, limit: 10 }), read('p.png'), read('many.txt', { limit: 2 })),
};
