// every answer fills the window again right after it was compacted
export default {
  limit: 60,
  settings: ({ hook }) => ({ hooks: { PreCompact: [{ hooks: [{ type: 'command', command: hook('compact') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], StopFailure: [{ hooks: [{ type: 'command', command: hook('fail') }] }] } }),
  args: ['--allowedTools', 'Bash', '--max-turns', '30'],
  keep: { anyWords: true, noResults: true },
  side: (b) => /create a detailed summary|replaced by a summary/.test(JSON.stringify(b.messages.at(-1))),
  env: { CLAUDE_CODE_MAX_RETRIES: '0', CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' },
  model: (b, { main, n }) => (!main ? { text: `<summary>All was well, ${n}.</summary>` } : { text: 'a', in: n < 3 ? 100 : 99000, tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] }),
};
