import { on, probe } from '../lib/probe.mjs';
// PreToolUse hooks of a subagent's calls: context, an updated input, a denial, continue: false
export default {
  settings: (ctx) => on({ PreToolUse: probe(ctx, 'pre', (i) => {
    const c = i.tool_input.command; const say = (more) => ({ note: c, out: { hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } } });
    if (/one/.test(c)) return say({ additionalContext: 'SUB CTX' });
    if (/two/.test(c)) return say({ permissionDecision: 'allow', updatedInput: { command: 'echo changed' } });
    if (/three/.test(c)) return say({ permissionDecision: 'deny', permissionDecisionReason: 'not that' });
    if (/four/.test(c)) return { note: c, out: { continue: false, stopReason: 'sub halt' } };
    return { note: i.tool_name };
  }), Stop: ctx.hook('stop'), SubagentStop: ctx.hook('substop'), PostToolUse: ctx.hook('post') }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: false, anyWords: false },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    const cmd = (x) => ({ text: 's', tools: [{ name: 'Bash', input: { command: `echo ${x}`, description: 'x' } }] });
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return [cmd('one'), cmd('two'), cmd('three'), cmd('four')][n] ?? { text: 'sub end' };
    return n ? { text: 'main end' } : { text: 'm', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'Explore', run_in_background: false } }] };
  },
};
