// a subagent is never nudged, but what it uses is used: 100 + 600 (the subagent) + 600 is 65 % of 2,000
export default {
  args: ['--token-budget', '2k'],
  settings: ({ hook }) => ({
    hooks: {
      SubagentStop: [{ hooks: [{ type: 'command', command: hook('substop') }] }],
      Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }],
    },
  }),
  keep: { order: true },
  replies: { substop: [{}], stop: [{}] },
  model: ({ messages }) => {
    const said = JSON.stringify(messages);
    if (JSON.stringify(messages[0]).includes('SUBTASK')) return { text: 'a report', out: 600 };
    const input = { description: 'look', prompt: 'SUBTASK', subagent_type: 'general-purpose' };
    if (!said.includes('a report')) return { tools: [{ name: 'Agent', input }], out: 100 };
    return { text: said.includes('token budget') ? 'more' : 'main', out: 600 };
  },
};
