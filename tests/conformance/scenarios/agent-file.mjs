import { on, probe } from '../lib/probe.mjs';
// .claude/agents/NAME.md: its prompt is the system prompt, its tools are the list, hooks see its name
export default {
  files: { '.claude/agents/checker.md': '---\nname: checker\ndescription: Checks things\ntools: Read, Bash\nmodel: haiku\n---\nYou are the CHECKER-PROMPT.' },
  settings: (ctx) => on({ SubagentStart: probe(ctx, 'substart', (i) => ({ note: i.agent_type })), SubagentStop: probe(ctx, 'substop', (i) => ({ note: { type: i.agent_type, last: i.last_assistant_message } })), Stop: ctx.hook('stop') }),
  keep: { noResults: true },
  model: (b, { main }) => {
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    const tools = (b.tools ?? []).map((t) => t.name);
    if (first.includes('SUBTASK')) return { text: `${tools.filter((t) => /^(Read|Grep|Bash|Edit|Agent|Write)$/.test(t)).sort().join()} own prompt ${JSON.stringify(b.system).includes('CHECKER-PROMPT')} haiku ${/haiku/.test(b.model)}` };
    if (!main) return { text: 'ok' };
    return JSON.stringify(b.messages).includes('tool_result') ? { text: 'main end' } : { tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'checker', run_in_background: false } }] };
  },
};
