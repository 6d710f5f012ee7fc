const one = (hook, name) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook(name) }] }], PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook(`pre-${name}`) }] }] } });
// blocks of hooks from the user's, the project's, the local and the flag's settings
export default {
  userSettings: ({ hook }) => one(hook, 'user'),
  settings: ({ hook }) => one(hook, 'project'),
  localSettings: ({ hook }) => one(hook, 'local'),
  args: ({ hook }) => ['--settings', JSON.stringify(one(hook, 'flag')), '--allowedTools', 'Bash'],
  replies: { user: [{ code: 2, err: 'user blocks' }, {}], project: [{}, { code: 2, err: 'project blocks' }, {}], local: [{ out: { decision: 'block', reason: 'local blocks' } }, {}], flag: [{}] },
  script: [{ text: 'a', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] }, { text: 'one' }, { text: 'two' }, { text: 'three' }],
};
