import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier, inTurn } from '../lib/earlier.mjs';
import { mcpBox, projectBox } from '../lib/mcpServer.mjs';
// --strict-mcp-config leaves the project's servers out; a server that cannot start is reported
export default {
  settings: (ctx) => projectBox(ctx),
  args: async (ctx) => {
    const other = JSON.stringify({ mcpServers: { gone: { command: '/nowhere/at/all' } } });
    const seen = await inTurn([[], ['--strict-mcp-config'], ['--mcp-config', other], ['--strict-mcp-config', '--mcp-config', other]], async (args) => { const { code, lines } = await earlier(ctx, { args }); return [code, JSON.stringify(lines.find((l) => l.subtype === 'init')?.mcp_servers.map((s) => [s.name, s.status]).sort())].join(' '); });
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash', '--strict-mcp-config'];
  },
  model: calls(bash('cat seen.txt')),
  limit: 60,
};
