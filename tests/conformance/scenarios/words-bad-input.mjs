import { calls, tool } from '../lib/calls.mjs';
// what the model hears of calls that do not fit their tool, and of tools that do not exist
export default {
  settings: {},
  args: ['--allowedTools', 'Bash'],
  model: calls(() => tool('Bash', { cmd: 'echo hi' }), () => tool('Bash', { command: 5 }), () => tool('Read', {}), () => tool('Edit', { file_path: '/x', old_string: 1, new_string: 'a', extra: true }), () => tool('NoSuchTool', { a: 1 }), () => tool('Bash', { command: 'echo hi', timeout: 'soon' })),
};
