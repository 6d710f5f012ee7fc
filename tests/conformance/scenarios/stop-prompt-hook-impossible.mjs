// a judge that says the condition cannot be met lets the turn end
export default {
  settings: () => ({ hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }] } }),
  model: (b, { main, n }) => (main ? { text: `main ${n}` } : { text: n ? '{"ok": false, "impossible": true, "reason": "never"}' : '{"ok": false, "reason": "not yet"}' }),
};
