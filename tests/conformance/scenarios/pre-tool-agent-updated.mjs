import { preAnswer } from '../lib/steps.mjs';
// a hook rewrites the prompt of a subagent before it starts
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Task|Agent', hooks: [{ type: 'command', command: hook('pre') }] }], SubagentStop: [{ hooks: [{ type: 'command', command: hook('substop') }] }], PostToolUse: [{ hooks: [{ type: 'command', command: hook('post') }] }] } }),
  replies: { pre: [preAnswer('allow', 'ok', { updatedInput: { description: 'sub', prompt: 'SUBTASK rewritten', subagent_type: 'general-purpose', run_in_background: false } })] },
  keep: { noResults: true },
  model: (b, { main }) => {
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    if (first.includes('SUBTASK')) return { text: first.includes('rewritten') ? 'was rewritten' : 'was not' };
    if (!main) return { text: 'ok' };
    return JSON.stringify(b.messages).includes('tool_result') ? { text: 'main end' } : { tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
