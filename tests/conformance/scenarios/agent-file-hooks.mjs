import fs from 'node:fs';
import { on, probe } from '../lib/probe.mjs';
// hooks in the front matter of an agent's file run while that agent does; its Stop is SubagentStop and may block
export default {
  settings: (ctx) => {
    const pre = probe(ctx, 'agentpre', (i) => ({ note: { event: i.hook_event_name, type: i.agent_type, tool: i.tool_name } }));
    const stop = probe(ctx, 'agentstop', (i, { n }) => ({ note: { event: i.hook_event_name, type: i.agent_type, active: i.stop_hook_active }, ...(n === 1 ? { code: 2, err: 'look deeper' } : {}) }));
    fs.mkdirSync(`${ctx.proj}/.claude/agents`, { recursive: true });
    fs.writeFileSync(`${ctx.proj}/.claude/agents/checker.md`, `---\nname: checker\ndescription: Checks things\ntools: Bash, Read, Edit, Write\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ${pre}\n  Stop:\n    - hooks:\n        - type: command\n          command: ${stop}\n---\nYou check.`);
    return on({ SubagentStop: ctx.hook('substop'), Stop: ctx.hook('stop') });
  },
  userSettings: undefined,
  args: (ctx) => { fs.writeFileSync(`${ctx.root}/home/.claude.json`, JSON.stringify({ projects: { [ctx.proj]: { hasTrustDialogAccepted: true } } })); return ['--allowedTools', 'Bash']; },
  keep: { noResults: true },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const first = JSON.stringify(b.messages[0]?.content ?? '');
    const all = JSON.stringify(b.messages);
    if (first.includes('SUBTASK')) return all.includes('tool_result') ? { text: `sub answer ${b.messages.length}` } : { text: 'a', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] };
    return all.includes('echo main') ? { text: 'main end' } : all.includes('tool_result') ? { text: 'c', tools: [{ name: 'Bash', input: { command: 'echo main', description: 'x' } }] } : { text: 'b', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'checker', run_in_background: false } }] };
  },
};
