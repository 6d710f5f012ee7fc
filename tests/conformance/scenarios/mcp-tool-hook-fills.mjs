const server = `
let buf = '';
process.stdin.on('data', (d) => { buf += d; let i; while ((i = buf.indexOf('\\n')) >= 0) { const line = buf.slice(0, i); buf = buf.slice(i + 1); if (line.trim()) handle(JSON.parse(line)); } });
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
let n = 0;
function handle(m) {
  if (m.method === 'initialize') return send({ id: m.id, result: { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'gate', version: '1' } } });
  if (m.method === 'tools/list') return send({ id: m.id, result: { tools: [{ name: 'check', description: 'c', inputSchema: { type: 'object', properties: { last: { type: 'string' } } } }] } });
  if (m.method === 'tools/call') { n++; return send({ id: m.id, result: { content: [{ type: 'text', text: n === 1 ? JSON.stringify({ decision: 'block', reason: 'server heard: ' + JSON.stringify(m.params.arguments) }) : '{}' }] } }); }
  if (m.id !== undefined) send({ id: m.id, result: {} });
}
`;
import fs from 'node:fs';
export default {
  files: { 'server.mjs': server },
  settings: (ctx) => { fs.writeFileSync(`${ctx.proj}/.mcp.json`, JSON.stringify({ mcpServers: { gate: { command: process.execPath, args: [`${ctx.proj}/server.mjs`] } } })); fs.writeFileSync(`${ctx.root}/home/.claude.json`, JSON.stringify({ projects: { [ctx.proj]: { hasTrustDialogAccepted: true } } })); return { enableAllProjectMcpServers: true, hooks: { PreToolUse: [{ hooks: [{ type: 'mcp_tool', server: 'gate', tool: 'check', input: { whole: '${tool_input}', part: '${tool_input.command}', deep: { list: ['${tool_name}', 'x ${tool_name} y'] }, n: 3, yes: true, missing: '${a.b}' } }] }] } }; },
  args: ['--allowedTools', 'Bash'],
  script: [{ text: 'a', tools: [{ name: 'Bash', input: { command: 'echo "hi"', description: 'x' } }] }, { text: 'finished' }],
};
