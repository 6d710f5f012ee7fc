import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier, inTurn } from '../lib/earlier.mjs';
const m = (t) => JSON.stringify({ type: 'user', message: { role: 'user', content: t } });
const forms = [`${m('one')}\n\n\n`, `{"type":"nonsense"}\n${m('one')}\n`, `${m('one')}`];
// stream-json input with blank lines, an unknown type, and no newline at its end
export default {
  settings: {},
  args: async (ctx) => {
    fs.writeFileSync(`${ctx.proj}/seen.txt`, (await inTurn(forms, async (stdin) => { const { code, lines } = await earlier(ctx, { prompt: null, args: ['--input-format', 'stream-json'], stdin }); return [code, ...lines.filter((l) => l.type === 'result').map((l) => l.result)].join(' | '); })).join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
