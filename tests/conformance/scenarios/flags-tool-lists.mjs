import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier, inTurn } from '../lib/earlier.mjs';
const ran = async (ctx, args) => { const { lines } = await earlier(ctx, { args, script: [{ text: 'a', tools: [bash('touch made; echo hi')] }, { text: 'end' }] }); return [args.join(' '), lines.find((l) => l.type === 'user')?.message.content[0].is_error === true].join(' -> '); };
// the forms of --allowedTools and --disallowedTools
export default {
  settings: {},
  args: async (ctx) => {
    const forms = [['--allowedTools', 'Read,Bash'], ['--allowedTools', 'Read Bash'], ['--allowedTools', 'Bash(touch *),Bash(echo *)'], ['--allowedTools', 'Bash(touch *)', 'Bash(echo *)'], ['--allowed-tools', 'Bash'], ['--allowedTools', 'bash'], ['--allowedTools', ''], ['--allowedTools', 'Bash', '--disallowedTools', 'Bash(touch *)'], ['--allowedTools', 'Bash', '--disallowed-tools', 'Bash'], ['--allowedTools=Bash'], ['--allowedTools', '*'], ['--allowedTools', 'Bash(*)'], ['--allowedTools', 'Bash()']];
    fs.writeFileSync(`${ctx.proj}/seen.txt`, (await inTurn(forms, (args) => ran(ctx, args))).join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 90,
};
