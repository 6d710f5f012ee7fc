// A real MCP server over stdio that tells what it was given: `env` answers with its environment, `slow` never.
import { writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'box', version: '1.0.0' }, { instructions: 'Handle the box with care.' });
const text = (words) => ({ content: [{ type: 'text', text: words }] });
server.registerTool('say', { description: 'Says.', inputSchema: { word: z.string() } }, async ({ word }) =>
  text(`heard ${word}`),
);
server.registerTool('env', { description: 'Its environment.' }, async () => text(JSON.stringify(process.env)));
server.registerTool('slow', { description: 'Never answers.' }, () => {
  writeFileSync('asked', '');
  return new Promise(() => {});
});
await server.connect(new StdioServerTransport());
writeFileSync('box.pid', String(process.pid));
