import { hooksOn } from '../lib/steps.mjs';
// SubagentStop with JSON: a block without a reason, an empty one, continue: true beside it
export default {
  settings: hooksOn({ SubagentStop: 'substop' }),
  replies: { substop: [{ out: { decision: 'block' } }, { out: { decision: 'block', reason: 'deeper', continue: true } }, { out: { decision: 'approve' } }] },
  keep: { noResults: true },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return { text: `sub answer ${n}` };
    return n ? { text: 'main end' } : { text: 'm', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'Explore', run_in_background: false } }] };
  },
};
