import { on, probe } from '../lib/probe.mjs';
// two hooks of SubagentStop, one of them for another type; exit 2 with JSON; context; then continue: false
export default {
  settings: ({ hook }) => ({ hooks: { SubagentStop: [{ matcher: 'general-purpose', hooks: [{ type: 'command', command: hook('one') }, { type: 'command', command: hook('two') }] }, { matcher: 'Explore', hooks: [{ type: 'command', command: hook('never') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { one: [{ code: 2, out: { decision: 'block', reason: 'json reason' }, err: 'stderr reason' }, { out: { hookSpecificOutput: { hookEventName: 'SubagentStop', additionalContext: 'ctx' } } }, { code: 1, err: 'broken' }, {}], two: [{}, { out: { systemMessage: 'sys' } }, { out: { continue: false, stopReason: 'enough' } }], stop: [{}] },
  keep: { noResults: true, anyWords: false },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return { text: `sub answer ${n}` };
    return n ? { text: 'main end' } : { text: 'm', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
