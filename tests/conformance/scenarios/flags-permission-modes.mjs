import fs from 'node:fs';
import { bash, calls, write } from '../lib/calls.mjs';
import { earlier, inTurn } from '../lib/earlier.mjs';
// each --permission-mode: a write, a command that changes, one that reads
export default {
  settings: {},
  args: async (ctx) => {
    const modes = ['default', 'acceptEdits', 'dontAsk', 'manual'];
    const seen = await inTurn(modes, async (mode) => { const { code, lines } = await earlier(ctx, { args: ['--permission-mode', mode], script: [{ text: 'a', tools: [{ name: 'Write', input: { file_path: `${ctx.proj}/w-${mode}.txt`, content: 'x' } }, bash(`node -e "require('fs').writeFileSync('n-${mode}', '')"`), bash('ls')] }, { text: 'end' }] }); return [mode, code, lines.find((l) => l.subtype === 'init')?.permissionMode, ...lines.filter((l) => l.type === 'user').flatMap((l) => l.message.content.map((b) => b.is_error === true)), JSON.stringify(lines.find((l) => l.type === 'result')?.permission_denials?.map((d) => d.tool_name))].join(' '); });
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
