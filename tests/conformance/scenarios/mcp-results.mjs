import { calls, tool, watch } from '../lib/calls.mjs';
import { mcpAnswers } from '../lib/mcpServer.mjs';

// what the model is told of each kind of result, with the schemas in the request
const text = (words) => ({ type: 'text', text: words });
const RESULTS = {
  two: { content: [text('a'), text('b')] },
  structured: { content: [text('plain')], structuredContent: { a: 1, b: [2] } },
  bare: { content: [], structuredContent: { a: 1 } },
  empty: { content: [] },
  resource: { content: [{ type: 'resource', resource: { uri: 'file:///x', mimeType: 'text/plain', text: 'inside' } }] },
  link: { content: [{ type: 'resource_link', uri: 'file:///y', name: 'why', description: 'because' }] },
  failed: { isError: true, content: [text('e1'), text('e2')] },
  mute: { isError: true, content: [] },
  'we.ird name': { content: [text('weird')] },
};
export default {
  env: { ENABLE_TOOL_SEARCH: 'false' },
  settings: (ctx) => ({ hooks: watch(ctx, 'PostToolUse', 'PostToolUseFailure') }),
  args: (ctx) => [...mcpAnswers(ctx, RESULTS), '--allowedTools', 'mcp__box__*'],
  model: calls(
    ...Object.keys(RESULTS).map((name) => tool(`mcp__box__${name.replace(/\W/g, '_')}`, { word: 'w' })),
    // the server's schema wants a word: the server decides
    tool('mcp__box__two', {}),
    tool('mcp__box__die', { word: 'x' }),
    tool('mcp__box__two', { word: 'again' }),
  ),
};
