import { mcpAnswers } from '../lib/mcpServer.mjs';
const text = (t) => ({ content: [{ type: 'text', text: t }] });
// mcp_tool hooks on Stop: an answer that blocks, text, an error, a server that is not there
export default {
  settings: () => ({ hooks: { Stop: [{ hooks: ['blocks', 'words', 'broken'].map((tool) => ({ type: 'mcp_tool', server: 'box', tool, input: { word: '${stop_hook_active}' } })).concat([{ type: 'mcp_tool', server: 'nobox', tool: 'say' }]) }] } }),
  env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' },
  args: (ctx) => mcpAnswers(ctx, { blocks: text('{"decision":"WORD","reason":"mcp blocks"}'), words: text('just words'), broken: { isError: true, ...text('{"decision":"block","reason":"broken"}') } }),
  script: [{ text: 'one' }, { text: 'two' }],
};
