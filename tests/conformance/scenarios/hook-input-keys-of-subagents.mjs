import { on, probe } from '../lib/probe.mjs';
const keys = (i) => ({ note: [...Object.keys(i).sort(), ...(i.effort ? [`effort ${JSON.stringify(i.effort)}`] : [])] });
const events = ['SubagentStart', 'PreToolUse', 'PostToolUse', 'PostToolBatch', 'SubagentStop', 'Stop'];
const agent = { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false };
export default {
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, keys)]))),
  args: ['--allowedTools', 'Bash'],
  keep: { order: true, noResults: true, anyWords: true },
  model: (b) => {
    if (!(b.tools ?? []).length) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return n ? { text: 'sub end' } : { text: 's', tools: [{ name: 'Bash', input: { command: 'echo sub', description: 'x' } }] };
    return n ? { text: 'main end' } : { text: 'm', tools: [{ name: 'Agent', input: agent }] };
  },
};
