// an API error inside a subagent
export default {
  settings: ({ hook }) => ({ hooks: { SubagentStop: [{ hooks: [{ type: 'command', command: hook('substop') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  env: { CLAUDE_CODE_MAX_RETRIES: '0' },
  keep: { noResults: true },
  replies: { substop: [{ code: 2, err: 'deeper' }], stop: [{}], fail: [{}] },
  model: (b) => {
    const names = (b.tools || []).map((t) => t.name);
    const first = JSON.stringify(b.messages[0].content);
    if (first.includes('SUBTASK')) return { error: { status: 400, type: 'invalid_request_error', message: 'prompt is bad' } };
    const t = names.includes('Agent') ? 'Agent' : 'Task';
    if (!names.length) return { text: 'ok' };
    return b.messages.length < 3 ? { tools: [{ name: t, input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] } : { text: 'main end' };
  },
};
