export default {
  settings: {},
  keep: { noResults: true },
  model: (b, { main }) => {
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    const tools = (b.tools ?? []).map((t) => t.name);
    if (first.includes('SUBTASK')) return { text: `${tools.filter((t) => /^(Read|Bash|Edit|Agent|Write)$/.test(t)).sort().join()}` };
    if (!main) return { text: 'ok' };
    const told = JSON.stringify(b.messages).match(/tool_result[^]*?((?:Agent,)?Bash(?:,Edit)?,Read(?:,Write)?|Read)/);
    return told ? { text: told[1] } : { tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'Explore', run_in_background: false } }] };
  },
};
