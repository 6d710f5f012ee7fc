import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
import { bash } from '../lib/calls.mjs';
// the result line of an API error
const kept = (r) => r && { subtype: r.subtype, is_error: r.is_error, num_turns: r.num_turns, terminal_reason: r.terminal_reason, api_error_status: r.api_error_status, hasResult: 'result' in r, errors: Array.isArray(r.errors) ? r.errors.length : r.errors };
export default {
  settings: {},
  args: async (ctx) => { const last = async (o) => kept((await earlier(ctx, o)).lines.findLast((l) => l.type === 'result')); const seen = [await last({ env: { CLAUDE_CODE_MAX_RETRIES: '0' }, script: [{ error: { status: 500, type: 'api_error', message: 'x' } }] })]; fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify(seen)); return ['--allowedTools', 'Bash']; },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
