import { bash } from '../lib/steps.mjs';
// a prompt hook's no after a tool call goes on only where the entry says so
export default {
  settings: ({ hook }) => ({ hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'Was it good? $ARGUMENTS', continueOnBlock: true }] }, { matcher: 'Read', hooks: [{ type: 'prompt', prompt: 'Was it read? $ARGUMENTS' }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  files: { 'a.txt': 'a\n' },
  replies: { stop: [{}] },
  keep: { noResults: true },
  model: (b, { main, n }) => (main ? [bash('echo a'), { text: 'r', tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] }, { text: 'finished' }][Math.min(n, 2)] : { text: JSON.stringify({ ok: false, reason: 'not good' }) }),
};
