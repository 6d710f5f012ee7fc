import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
import { bash } from '../lib/calls.mjs';
// --output-format json: one object, its keys, and what was refused
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: async (ctx) => { const { code, lines } = await earlier(ctx, { format: 'json', script: [{ text: 'a', tools: [bash('touch refused')] }, { text: 'one' }, { text: 'two' }] }); const r = lines[0]; fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify({ code, n: lines.length, type: r.type, subtype: r.subtype, is_error: r.is_error, num_turns: r.num_turns, result: r.result, stop_reason: r.stop_reason, denied: r.permission_denials?.map((d) => [d.tool_name, d.tool_input, Object.keys(d).sort().join()]), missing: ['session_id', 'uuid', 'usage', 'modelUsage', 'total_cost_usd', 'duration_ms', 'duration_api_ms', 'permission_denials', 'terminal_reason'].filter((k) => !(k in r)) })); return ['--allowedTools', 'Bash']; },
  replies: { stop: [{ code: 2, err: 'more' }, {}] },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
