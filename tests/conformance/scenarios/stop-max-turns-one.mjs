// the block of a Stop hook when no turn is left
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }], SessionEnd: [{ hooks: [{ type: 'command', command: hook('end') }] }] } }),
  args: ['--max-turns', '1'],
  replies: { stop: [{ code: 2, err: 'more' }] },
  script: [{ text: 'one' }, { text: 'two' }],
};
