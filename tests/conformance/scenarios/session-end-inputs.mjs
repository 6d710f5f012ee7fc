import fs from 'node:fs';
import { bash, calls } from '../lib/calls.mjs';
import { earlier } from '../lib/earlier.mjs';
import { on, probe } from '../lib/probe.mjs';
// SessionEnd after each kind of run
export default {
  settings: (ctx) => on({ SessionEnd: probe(ctx, 'end', (i) => ({ note: [i.reason, Object.keys(i).sort().join()] })) }),
  args: async (ctx) => {
    await earlier(ctx, { args: ['--max-turns', '1', '--allowedTools', 'Bash'], script: [{ text: 'a', tools: [bash('echo hi')] }] });
    await earlier(ctx, { prompt: '/compact' });
    await earlier(ctx, { args: ['--settings', JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } })] });
    await earlier(ctx, { script: [{ error: { status: 400, type: 'invalid_request_error' } }], env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
    return [];
  },
  keep: { order: true },
  script: [{ text: 'one' }],
  limit: 60,
};
