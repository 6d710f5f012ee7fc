import { answer, hooksOn } from '../lib/steps.mjs';
const agent = { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false };
export default {
  settings: hooksOn({ SubagentStop: 'substop' }),
  keep: { noResults: true },
  replies: { substop: [answer('SubagentStop', { additionalContext: 'count the files' }), {}] },
  model: (b) => {
    if (!(b.tools ?? []).length) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return { text: `sub ${n}` };
    return n ? { text: 'main end' } : { text: 'm', tools: [{ name: 'Agent', input: agent }] };
  },
};
