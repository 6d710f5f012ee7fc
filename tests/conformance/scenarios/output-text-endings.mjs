import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier, inTurn } from '../lib/earlier.mjs';
const stop = (command) => ['--settings', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }], UserPromptSubmit: [] } })];
const submit = (command) => ['--settings', JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] } })];
// --output-format text at each ending: what is printed
export default {
  settings: {},
  args: async (ctx) => {
    const runs = [{ args: stop(`echo '{"continue":false,"stopReason":"halt"}'`) }, { args: submit('echo no >&2; exit 2') }, { args: stop(`echo '{"systemMessage":"sys"}'`) }];
    const seen = await inTurn(runs, async (run) => { const { code, lines } = await earlier(ctx, { format: 'text', env: { CLAUDE_CODE_MAX_RETRIES: '0' }, ...run }); return [code, ...lines.map((l) => l.text)].join(' | '); });
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
