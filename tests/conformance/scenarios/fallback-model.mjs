// --fallback-model: the first is overloaded, the second answers
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('failure') }] }] } }),
  args: ['--model', 'claude-opus-4-1', '--fallback-model', 'claude-sonnet-4-5'],
  limit: 60,
  model: (b, { main }) => (!main ? { text: 'ok' } : /opus/.test(b.model) ? { error: { status: 529, type: 'overloaded_error', message: 'Overloaded' } } : { text: 'from the second' }),
};
