import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
import { bash } from '../lib/calls.mjs';
// no prompt at all is wrong use
export default {
  settings: {},
  args: async (ctx) => { const a = await earlier(ctx, { prompt: null, stdin: '' }); const b = await earlier(ctx, { prompt: '' }); fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify([a.code !== 0, a.requests.length, b.code !== 0, b.requests.length])); return ['--allowedTools', 'Bash']; },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
