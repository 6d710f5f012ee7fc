export default {
  settings: () => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'prompt', prompt: 'Is this allowed?', continueOnBlock: true }] }] } }),
  model: (b, { main, n }) => main ? { text: 'main ' + n } : { text: JSON.stringify({ ok: false, reason: 'off topic' }) },
};
