// a command, an http and a prompt hook on Stop that disagree
export default {
  http: (n) => (n === 0 ? { body: { decision: 'block', reason: 'http blocks' } } : { body: {} }),
  settings: ({ hook, httpUrl }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }, { type: 'http', url: `${httpUrl}/s` }, { type: 'prompt', prompt: 'JUDGE it' }] }] } }),
  replies: { stop: [{ code: 2, err: 'command blocks' }, { out: { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'more context' } } }, {}] },
  model: (b, { main, n }) => (main ? { text: `answer ${n}` } : { text: '{"ok":true}' }),
};
