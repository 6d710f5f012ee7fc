import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier, inTurn } from '../lib/earlier.mjs';
const stop = (command) => ['--settings', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })];
// --output-format json at each ending: what the object says
export default {
  settings: {},
  args: async (ctx) => {
    const call = { text: 'a', tools: [bash('echo hi')] };
    const runs = [
      { args: ['--max-turns', '1', '--allowedTools', 'Bash'], script: [call] },
      { args: stop(`echo '{"continue":false,"stopReason":"halt"}'`) },
      { script: [{ error: { status: 401, type: 'authentication_error' } }] },
      { args: ['--permission-mode', 'dontAsk'], script: [{ text: 'a', tools: [bash('touch x'), bash('touch y')] }, { text: 'end' }] },
      { args: ['--max-turns', '3', ...stop('echo more >&2; exit 2')] },
    ];
    const seen = await inTurn(runs, async (run) => { const { code, lines } = await earlier(ctx, { format: 'json', env: { CLAUDE_CODE_MAX_RETRIES: '0' }, ...run }); const r = lines[0] ?? {}; return [code, r.subtype, r.is_error, r.num_turns, r.terminal_reason, r.is_error ? '' : r.result, JSON.stringify(r.permission_denials?.map((d) => d.tool_name)), JSON.stringify(r.errors)?.replace(/\d+ms/, '')].join(' | '); });
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 80,
};
