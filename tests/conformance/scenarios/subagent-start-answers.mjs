import { hooksOn } from '../lib/steps.mjs';
const agent = (n) => ({ description: 'sub', prompt: `SUBTASK ${n}`, subagent_type: 'general-purpose', run_in_background: false });
// plain text, systemMessage, continue: false and a block of SubagentStart
export default {
  settings: hooksOn({ SubagentStart: 'start', SubagentStop: 'substop', Stop: 'stop' }),
  replies: { start: [{ out: 'plain words' }, { out: { systemMessage: 'SYS', suppressOutput: true } }, { out: { continue: false, stopReason: 'no subagents' } }, { out: { decision: 'block', reason: 'blocked' } }, {}] },
  keep: { noResults: true },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    const first = JSON.stringify(b.messages[0].content);
    if (/SUBTASK \d/.test(first)) return { text: `sub end; plain ${JSON.stringify(b.messages).includes('plain words')} sys ${JSON.stringify(b.messages).includes('SYS')}` };
    return n < 4 ? { tools: [{ name: 'Agent', input: agent(n) }] } : { text: 'main end' };
  },
};
