import { earlier } from '../lib/earlier.mjs';
const m = (t) => JSON.stringify({ type: 'user', message: { role: 'user', content: t } });
// three prompts in one stream: the hooks of each, a blocked one in the middle
export default {
  settings: async (ctx) => {
    const h = (name) => [{ hooks: [{ type: 'command', command: ctx.hook(name) }] }];
    await earlier(ctx, { prompt: null, args: ['--input-format', 'stream-json', '--settings', JSON.stringify({ hooks: { UserPromptSubmit: h('submit'), Stop: h('stop'), SessionStart: h('start'), SessionEnd: h('end') } })], script: [{ text: 'first' }, { text: 'third' }], stdin: `${m('one')}\n${m('two')}\n${m('three')}\n` });
    return {};
  },
  replies: { submit: [{}, { code: 2, err: 'not two' }, {}] },
  keep: { order: true },
  script: [{ text: 'end' }],
};
