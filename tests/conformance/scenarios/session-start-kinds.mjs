// which kinds run at the start of a session
const made = (k) => ({ ok: true, reason: k });
export default {
  http: () => ({ body: { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'from http' } } }),
  settings: ({ hook, httpUrl }) => ({ hooks: { SessionStart: [{ hooks: [{ type: 'http', url: `${httpUrl}/start` }, { type: 'prompt', prompt: 'Say it' }, { type: 'command', command: hook('cmd') }] }] } }),
  keep: { firstTold: ['from http', 'from cmd'] },
  replies: { cmd: [{ out: 'from cmd' }] },
  model: (b, { main }) => ({ text: main ? 'one' : JSON.stringify(made('x')) }),
};
