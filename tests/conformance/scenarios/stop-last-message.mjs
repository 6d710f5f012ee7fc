import { on, probe } from '../lib/probe.mjs';
// last_assistant_message: blanks, code fences, unicode and line breaks as they are
export default {
  settings: (ctx) => on({ Stop: probe(ctx, 'stop', (i, { n }) => ({ note: JSON.stringify(i.last_assistant_message), ...(n < 3 ? { code: 2, err: 'more' } : {}) })) }),
  script: [{ text: '  padded \n\n' }, { text: '```js\nlet x;\n```\n\u{1F600} é\t"q"' }, { text: 'x'.repeat(20000) }],
};
