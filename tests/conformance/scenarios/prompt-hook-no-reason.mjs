export default {
  settings: () => ({ hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }] } }),
  model: (b, { main, n }) => (main ? { text: `main ${n}` } : { text: n ? '{"ok": true}' : '{"ok": false}' }),
};
