import { bash } from '../lib/steps.mjs';
// a prompt hook's no before a tool call, with and without continueOnBlock
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'May it run? $ARGUMENTS', continueOnBlock: true }] }, { matcher: 'Write', hooks: [{ type: 'prompt', prompt: 'May it write? $ARGUMENTS' }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash,Write'],
  replies: { stop: [{}] },
  model: (b, { main, n }) => (main ? [bash('touch a'), { text: 'w', tools: [{ name: 'Write', input: { file_path: '/nowhere/a', content: 'x' } }] }, { text: 'finished' }][Math.min(n, 2)] : { text: JSON.stringify({ ok: false, reason: 'not now' }) }),
};
