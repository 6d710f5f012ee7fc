import { calls, tool, fate } from '../lib/calls.mjs';
import { projectBox } from '../lib/mcpServer.mjs';
// nobody allowed it: asked about, then denied; also the one that says it only reads
export default {
  settings: (ctx) => ({ ...projectBox(ctx), permissions: { deny: ['mcp__box__fail'] }, hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(tool('mcp__box__say', { word: 'hi' })),
};
