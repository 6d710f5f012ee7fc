import { bash, calls, fate, tool, watch } from '../lib/calls.mjs';
// rules and hooks hold inside a subagent
export default {
  settings: (ctx) => ({ permissions: { deny: ['Bash(touch denied*)'], ask: ['Bash(touch asked*)'] }, hooks: { ...fate(ctx), PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: ctx.hook('gate'), if: 'Bash(touch gated*)' }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { gate: [{ code: 2, err: 'not in here' }] },
  keep: { noResults: true },
  side: (b) => JSON.stringify(b.messages[0]).includes('SUBTASK'),
  model: (b, at) => { const n = b.messages.filter((m) => m.role === 'assistant').length; return JSON.stringify(b.messages[0]).includes('SUBTASK') ? calls(bash('touch denied'), bash('touch asked'), bash('touch gated'), bash('touch fine'))(b, { main: true, n }) : calls(tool('Agent', { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false }))(b, at); },
};
