// SubagentStop and SubagentStart pick by agent type
const on = (hook) => (name, matcher) => ({ matcher, hooks: [{ type: 'command', command: hook(name) }] });
export default {
  settings: ({ hook }) => { const h = on(hook); return { hooks: { SubagentStop: [h('general', 'general-purpose'), h('explore', 'Explore'), h('any', '*'), h('part', 'general')], SubagentStart: [h('startGeneral', 'general-purpose'), h('startExplore', 'Explore|Plan')] } }; },
  keep: { noResults: true },
  model: (b, { main }) => {
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    if (first.includes('SUBTASK')) return { text: 'sub end' };
    if (!main) return { text: 'ok' };
    return JSON.stringify(b.messages).includes('tool_result') ? { text: 'main end' } : { tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
