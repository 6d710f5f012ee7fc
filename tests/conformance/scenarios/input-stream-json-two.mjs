import { earlier } from '../lib/earlier.mjs';
// two messages on stream-json input: one result and one Stop for each
export default {
  settings: async (ctx) => {
    const m = (t) => JSON.stringify({ type: 'user', message: { role: 'user', content: t } });
    const run = await earlier(ctx, { prompt: null, args: ['--input-format', 'stream-json', '--settings', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: ctx.hook('stop') }] }], UserPromptSubmit: [{ hooks: [{ type: 'command', command: ctx.hook('submit') }] }] } })], script: [{ text: 'first answer' }, { text: 'second answer' }], stdin: `${m('one')}\n${m('two')}\n` });
    return {};
  },
  script: [{ text: 'end' }],
};
