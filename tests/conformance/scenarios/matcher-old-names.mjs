import { calls, tool } from '../lib/calls.mjs';
// former names of tools in matchers and rules
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Task', hooks: [{ type: 'command', command: hook('task') }] }, { matcher: 'Agent', hooks: [{ type: 'command', command: hook('agent') }] }] } }),
  keep: { noResults: true },
  side: (b) => JSON.stringify(b.messages[0]).includes('SUBTASK'),
  model: (b, at) => (JSON.stringify(b.messages[0]).includes('SUBTASK') ? { text: 'sub' } : calls(tool('Agent', { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false }))(b, at)),
};
