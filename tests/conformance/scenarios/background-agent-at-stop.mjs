import { on, probe } from '../lib/probe.mjs';
// an Agent with run_in_background: the stop names it, the run waits for it, its answer takes the turn up again
export default {
  limit: 40,
  settings: (ctx) => on({ Stop: probe(ctx, 'stop', (i) => ({ note: { active: i.stop_hook_active, last: i.last_assistant_message, tasks: i.background_tasks.map((t) => [Object.keys(t).sort().join(), t.type, t.status, t.description, t.agent_type]) } })), SubagentStop: probe(ctx, 'substop', (i) => ({ note: { last: i.last_assistant_message, type: i.agent_type } })), UserPromptSubmit: probe(ctx, 'prompt', (i) => ({ note: i.prompt.replace(/<(task-id|output-file)>[^<]*/g, '<$1>…').replace(/<note>[^]*<\/note>\n/, '').replace(/<(total_tokens|subagent_tokens|tool_uses|duration_ms)>\d+/g, '<$1>n') })), SessionEnd: ctx.hook('end') }),
  keep: { noResults: true, anyWords: true, order: true },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const first = JSON.stringify(b.messages[0].content);
    if (first.includes('SUBTASK')) return { text: 'sub answer', delayMs: 2500 };
    const said = JSON.stringify(b.messages);
    if (said.includes('task-notification')) return { text: 'three' };
    return said.includes('tool_result') ? { text: 'one' } : { text: 'start', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: true } }] };
  },
};
