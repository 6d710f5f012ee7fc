import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
import { bash } from '../lib/calls.mjs';
// --output-format text: the last answer
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: async (ctx) => { const a = await earlier(ctx, { format: 'text', script: [{ text: 'first words', tools: [bash('echo hi')] }, { text: 'one\ntwo' }, { text: 'three' }] }); fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify([a.code, a.lines])); return ['--allowedTools', 'Bash']; },
  replies: { stop: [{ code: 2, err: 'more' }, {}] },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
