import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
import { bash } from '../lib/calls.mjs';
// a session that is not there
export default {
  settings: {},
  args: async (ctx) => { const a = await earlier(ctx, { args: ['--resume', '11111111-2222-4333-8444-555555555555'] }); const b = await earlier(ctx, { args: ['--continue'] }); fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify([a.code, a.requests.length, b.code, b.requests.length > 0])); return ['--allowedTools', 'Bash']; },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
