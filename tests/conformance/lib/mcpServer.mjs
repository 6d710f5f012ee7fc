// A small MCP server over stdio, written into the project by a scenario.
import fs from 'node:fs';

const SOURCE = `
import fs from 'node:fs';
const { tools, results } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
let buf = '';
process.stdin.on('data', (d) => { buf += d; let i; while ((i = buf.indexOf('\\n')) >= 0) { const line = buf.slice(0, i); buf = buf.slice(i + 1); if (line.trim()) handle(JSON.parse(line)); } });
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
const filled = (result, word) => JSON.parse(JSON.stringify(result).replaceAll('WORD', word));
function handle(m) {
  if (m.method === 'initialize') return send({ id: m.id, result: { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'box', version: '1' } } });
  if (m.method === 'tools/list') return send({ id: m.id, result: { tools } });
  if (m.method === 'tools/call' && m.params.name === 'die') process.exit(3);
  if (m.method === 'tools/call') return send({ id: m.id, result: filled(results[m.params.name], m.params.arguments.word) });
  if (m.id !== undefined) send({ id: m.id, result: {} });
}
`;

const schema = { type: 'object', properties: { word: { type: 'string' } } };

function put({ proj }, tools, results) {
  fs.writeFileSync(`${proj}/server.mjs`, SOURCE);
  fs.writeFileSync(`${proj}/server.json`, JSON.stringify({ tools, results }));
  const box = { command: process.execPath, args: [`${proj}/server.mjs`, `${proj}/server.json`] };
  fs.writeFileSync(`${proj}/mcp.json`, JSON.stringify({ mcpServers: { box } }));
  return ['--mcp-config', `${proj}/mcp.json`];
}

/** A server `box` with the tools `say` and `fail`; the flag that configures it. */
export function mcpBox(ctx) {
  const tools = [
    { name: 'say', description: 'says', inputSchema: schema, annotations: { readOnlyHint: true } },
    { name: 'fail', description: 'fails', inputSchema: schema },
  ];
  return put(ctx, tools, {
    say: { content: [{ type: 'text', text: 'heard WORD' }] },
    fail: { isError: true, content: [{ type: 'text', text: 'it broke' }] },
  });
}

/** A server `box` with a tool for each result, and one that ends the server. */
export function mcpAnswers(ctx, results) {
  const inputSchema = { ...schema, required: ['word'] };
  const tools = [...Object.keys(results), 'die'].map((name) => ({ name, description: `d of ${name}`, inputSchema }));
  return put(ctx, tools, results);
}

/** `mcpBox` as the project's own server, trusted. */
export function projectBox(ctx) {
  mcpBox(ctx);
  fs.copyFileSync(`${ctx.proj}/mcp.json`, `${ctx.proj}/.mcp.json`);
  fs.writeFileSync(
    `${ctx.root}/home/.claude.json`,
    JSON.stringify({ projects: { [ctx.proj]: { hasTrustDialogAccepted: true } } }),
  );
  return { enableAllProjectMcpServers: true };
}
