const entry = (hook, more) => ({ Stop: [{ hooks: [{ type: 'command', command: hook('same'), ...more }] }] });
// the same command, once waited for and once not
export default {
  settings: ({ hook }) => ({ hooks: entry(hook, { async: true }) }),
  localSettings: ({ hook }) => ({ hooks: entry(hook, {}) }),
  replies: { same: [{ code: 2, err: 'not yet' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }],
};
