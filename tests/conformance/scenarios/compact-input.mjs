import { on, probe } from '../lib/probe.mjs';
export default {
  settings: (ctx) => on({ PreCompact: probe(ctx, 'pre', (i) => ({ note: [Object.keys(i).sort().join(), i.trigger, i.custom_instructions] })), PostCompact: probe(ctx, 'post', (i) => ({ note: [Object.keys(i).sort().join(), i.trigger, /All was well/.test(i.compact_summary)] })), SessionStart: probe(ctx, 'start', (i) => ({ note: [i.source] })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { anyWords: true, noResults: true },
  side: (b) => JSON.stringify(b.messages.at(-1)).includes('summary'),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  model: (b, { main, n }) => (!main ? { text: '<summary>All was well.</summary>' } : n === 0 ? { text: 'a', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] } : n === 1 ? { error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens > 200000 maximum' } } : { text: 'after' }),
};
