import { bash, calls } from '../lib/calls.mjs';
const gate = (hook, name, rule) => ({ type: 'command', command: hook(name), if: rule });
// `if` on the other tool events
export default {
  settings: ({ hook }) => ({ hooks: Object.fromEntries(['PostToolUse', 'PostToolUseFailure', 'PermissionRequest'].map((e) => [e, [{ hooks: [gate(hook, `${e}-echo`, 'Bash(echo *)'), gate(hook, `${e}-false`, 'Bash(false)'), gate(hook, `${e}-touch`, 'Bash(touch *)')] }]])) }),
  keep: { noResults: true },
  model: calls(bash('echo a'), bash('false'), bash('touch a')),
};
