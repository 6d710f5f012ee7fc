// stop_hook_active stays true over tool calls, until the turn ends
export default {
  args: ['--allowedTools', 'Bash'],
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { order: true },
  replies: { stop: [{ code: 2, err: 'run it' }, { code: 2, err: 'and say so' }, {}] },
  script: [{ text: 'one' }, { tools: [{ name: 'Bash', input: { command: 'echo ran', description: 'run' } }] }, { text: 'two' }, { text: 'three' }],
};
