// A real MCP server over stdio with one tool, `judge`, that says whether the text it is given is done.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'judge', version: '1.0.0' });
server.registerTool('judge', { description: 'Judges.', inputSchema: { text: z.string() } }, async ({ text }) => ({
  content: [
    {
      type: 'text',
      text: text === 'done' ? '' : JSON.stringify({ decision: 'block', reason: `"${text}" is not done` }),
    },
  ],
}));
await server.connect(new StdioServerTransport());
