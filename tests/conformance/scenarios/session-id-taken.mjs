import { earlier } from '../lib/earlier.mjs';
import fs from 'node:fs';
import { bash } from '../lib/calls.mjs';
// the id of a session that is there already
export default {
  settings: {},
  args: async (ctx) => { const id = '11111111-2222-4333-8444-555555555555'; const a = await earlier(ctx, { args: ['--session-id', id] }); const b = await earlier(ctx, { args: ['--session-id', id] }); fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify([a.code, b.code !== 0, b.requests.length])); return ['--allowedTools', 'Bash']; },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
