import fs from 'node:fs';
import { earlier, inTurn } from '../lib/earlier.mjs';
import { bash, calls } from '../lib/calls.mjs';
const forms = [true, false, 'true', 1, null];
// disableAllHooks in --settings, in each form, above hooks of the project
export default {
  settings: ({ hook }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `printf HOOKED` }] }] } }),
  args: async (ctx) => { fs.writeFileSync(`${ctx.proj}/seen.txt`, (await inTurn(forms, async (disableAllHooks) => `${disableAllHooks} ${(await earlier(ctx, { args: ['--settings', JSON.stringify({ disableAllHooks })] })).requests.some((r) => JSON.stringify(r).includes('HOOKED'))}`)).join('\n')); return ['--allowedTools', 'Bash']; },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
