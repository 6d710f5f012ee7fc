import { earlier, inTurn } from '../lib/earlier.mjs';
import fs from 'node:fs';
import { bash } from '../lib/calls.mjs';
// flags that cannot be read: nothing runs
export default {
  settings: {},
  args: async (ctx) => { const tries = [['--permission-mode', 'everything'], ['--max-turns', 'many'], ['--settings', '{broken'], ['--settings', '/nonexistent.json'], ['--setting-sources', 'nobody'], ['--no-such-flag'], ['--max-budget-usd', '-1']]; fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify(await inTurn(tries, async (args) => { const r = await earlier(ctx, { args }); return [args[0], r.code !== 0, r.requests.length]; }))); return ['--allowedTools', 'Bash']; },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
