import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier, inTurn } from '../lib/earlier.mjs';
// prompts that begin like a command and are none: whether a model is asked, and how it ends
export default {
  settings: {},
  args: async (ctx) => {
    const seen = await inTurn(['/no-such-command', '/ not a command', '/etc/hosts is a file', '//x'], async (prompt) => { const { code, requests, lines } = await earlier(ctx, { prompt }); const r = lines.find((l) => l.type === 'result') ?? {}; return [prompt, code, r.subtype, r.is_error, r.num_turns, requests.length].join(' | '); });
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
