// a block does not buy a request beyond --max-turns
export default {
  args: ['--max-turns', '2'],
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  replies: { stop: [{ code: 2, err: 'go on' }] },
  script: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
};
