import fs from 'node:fs';
import { earlier, inTurn } from '../lib/earlier.mjs';
import { bash, calls } from '../lib/calls.mjs';
const forms = [{ out: 'plain words' }, { out: { hookSpecificOutput: { hookEventName: 'UserPromptExpansion', additionalContext: 'CTX' } } }, { code: 2, err: 'no' }, { out: { continue: false, stopReason: 'halt' } }, { out: { decision: 'block', reason: 'because' } }, { out: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'CTX' } } }, { code: 1, err: 'broken' }, { out: { systemMessage: 'sys' } }, { out: { decision: 'block', reason: 'hidden', hookSpecificOutput: { hookEventName: 'UserPromptExpansion', suppressOriginalPrompt: true } } }];
// what each answer of UserPromptExpansion does
export default {
  files: { '.claude/commands/greet.md': 'Say hello.' },
  settings: {},
  args: async (ctx) => {
    const seen = await inTurn(forms, async (form, k) => {
      const name = `form${k}`;
      fs.writeFileSync(`${ctx.root}/hooks/${name}.1.code`, String(form.code ?? 0));
      if (form.out) fs.writeFileSync(`${ctx.root}/hooks/${name}.1.out`, typeof form.out === 'string' ? form.out : JSON.stringify(form.out));
      if (form.err) fs.writeFileSync(`${ctx.root}/hooks/${name}.1.err`, form.err);
      const { code, lines, requests } = await earlier(ctx, { prompt: '/greet you', format: 'json', args: ['--settings', JSON.stringify({ hooks: { UserPromptExpansion: [{ hooks: [{ type: 'command', command: ctx.hook(name) }] }] } })] });
      const r = lines[0] ?? {};
      const sent = JSON.stringify(requests);
      return [code, r.subtype, r.is_error, r.result, r.terminal_reason, requests.length, sent.includes('plain words'), sent.includes('CTX'), sent.includes('Say hello')].join(' | ').replaceAll(ctx.root, 'ROOT');
    });
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
