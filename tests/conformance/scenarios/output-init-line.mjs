import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
import { bash } from '../lib/calls.mjs';
export default {
  settings: {},
  args: async (ctx) => { const i = (await earlier(ctx, { args: ['--permission-mode', 'acceptEdits', '--session-id', '11111111-2222-4333-8444-555555555555', '--disallowedTools', 'Write'] })).lines.find((l) => l.subtype === 'init'); fs.writeFileSync(`${ctx.proj}/seen.txt`, JSON.stringify({ cwd: i.cwd === ctx.proj, id: i.session_id === '11111111-2222-4333-8444-555555555555', mode: i.permissionMode, has: ['Bash', 'Read', 'Write', 'Edit'].filter((t) => i.tools.includes(t)), missing: ['tools', 'mcp_servers', 'model', 'slash_commands', 'apiKeySource', 'output_style', 'agents', 'uuid'].filter((k) => !(k in i)) })); return ['--allowedTools', 'Bash']; },
  script: [{ text: 'look', tools: [bash('cat seen.txt')] }, { text: 'one' }],
};
