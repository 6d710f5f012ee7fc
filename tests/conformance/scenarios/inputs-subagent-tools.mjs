import { on, probe, whole } from '../lib/probe.mjs';
const note = (i) => { const { session_id: _s, transcript_path: _t, cwd: _c, prompt_id: _p, duration_ms: _d, effort: _e, agent_id, agent_transcript_path, tool_response, tool_use_id, ...rest } = i; for (const k of ['stop_attempt', 'previous_reasons', 'changed_since_last_attempt', 'evidence']) delete rest[k]; if (rest.tool_name === 'Agent') delete rest.tool_input; return { note: { ...rest, agent: typeof agent_id, own: agent_transcript_path?.includes(agent_id) } }; };
const events = ['SubagentStart', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'SubagentStop', 'UserPromptSubmit', 'Stop'];
// the fields of a subagent's calls: allowed, failing, refused
export default {
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, note)]))),
  args: ['--allowedTools', 'Bash(echo *)', 'Bash(exit *)'],
  keep: { order: true, noResults: true, anyWords: true },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    const cmd = (command) => ({ text: 's', tools: [{ name: 'Bash', input: { command, description: 'x' } }] });
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return [cmd('echo sub'), cmd('exit 4')][n] ?? { text: 'sub end' };
    return n ? { text: 'main end' } : { text: 'm', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
