import { calls, tool } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// everything that SubagentStart and SubagentStop are given
export default {
  settings: (ctx) => on({ SubagentStart: probe(ctx, 'start', (i) => ({ note: [Object.keys(i).sort().join(), i.agent_type] })), SubagentStop: probe(ctx, 'stop', (i) => ({ note: [Object.keys(i).sort().join(), i.agent_type, i.stop_hook_active, i.last_assistant_message, i.agent_transcript_path.includes(i.agent_id)] })) }),
  keep: { noResults: true, order: true },
  side: (b) => JSON.stringify(b.messages[0]).includes('SUBTASK'),
  model: (b, at) => (JSON.stringify(b.messages[0]).includes('SUBTASK') ? { text: 'sub answer' } : calls(tool('Agent', { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false }))(b, at)),
};
