const replies = ['{"ok":true,"reason":"fine","extra":1}', '{"ok":"false","reason":"string"}', '{"ok":false,"reason":""}', '{"ok":false,"reason":"r1"}{"ok":true}', '', '{"ok":false,"reason":"last"}', '{"ok":true}'];
// odd answers of the judge of a Stop prompt hook: each is asked in a turn of its own, blocked by a command beside it
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'JUDGE $ARGUMENTS' }, { type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [...replies.slice(1).map((_, k) => ({ code: 2, err: `again ${k}` })), {}] },
  model: (b, { main, n }) => (main ? { text: `answer ${n}` } : JSON.stringify(b).includes('JUDGE') ? { text: replies[Math.min(b.messages.filter((m) => m.role === 'assistant').length - 1, replies.length - 1)] } : { text: 'ok' }),
};
