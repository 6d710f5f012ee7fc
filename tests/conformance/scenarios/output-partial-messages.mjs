import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier } from '../lib/earlier.mjs';
// --include-partial-messages: the events of one answer, and who sent them
export default {
  settings: {},
  args: async (ctx) => {
    const { lines } = await earlier(ctx, { args: ['--include-partial-messages', '--allowedTools', 'Bash'], script: [{ text: 'a', tools: [bash('echo hi')] }, { text: 'one' }] });
    const seen = lines.filter((l) => l.type === 'stream_event').map((l) => [l.event.type, l.event.delta?.type ?? l.event.content_block?.type ?? '', l.parent_tool_use_id === null].join(' '));
    fs.writeFileSync(`${ctx.proj}/seen.txt`, seen.join('\n'));
    return ['--allowedTools', 'Bash'];
  },
  model: calls(bash('cat seen.txt')),
};
