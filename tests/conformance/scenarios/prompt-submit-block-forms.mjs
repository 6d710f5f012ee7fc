import fs from 'node:fs';
import { earlier, inTurn } from '../lib/earlier.mjs';
import { bash, calls } from '../lib/calls.mjs';
const forms = [{ out: { decision: 'block' } }, { out: { decision: 'block', reason: '' } }, { code: 2 }, { out: { decision: 'block', reason: 'both', systemMessage: 'sys', hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'ctx' } } }, { out: { decision: 'approve', reason: 'fine' } }, { out: { decision: 'deny', reason: 'odd' } }, { out: { continue: false, stopReason: 'halt', decision: 'block', reason: 'also' } }];
// what the person gets for each form of a refused prompt
export default {
  settings: {},
  args: async (ctx) => {
    const seen = await inTurn(forms, async (form, k) => {
      const name = `form${k}`;
      fs.writeFileSync(`${ctx.root}/hooks/${name}.1.code`, String(form.code ?? 0));
      if (form.out) fs.writeFileSync(`${ctx.root}/hooks/${name}.1.out`, JSON.stringify(form.out));
      const { code, lines, requests } = await earlier(ctx, { format: 'json', args: ['--settings', JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: ctx.hook(name) }] }] } })] });
      const r = lines[0] ?? {};
      return [code, r.subtype, r.is_error, r.num_turns, r.result, r.terminal_reason, requests.length].join(' | ').replaceAll(ctx.root, 'ROOT');
    });
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
