import { bash, calls, read } from '../lib/calls.mjs';
// async hooks: their context, block, continue: false and text, while the turn goes on
export default {
  files: { 'a.txt': 'a' },
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('pre'), async: true }] }], PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('post'), async: true }] }], UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('submit'), async: true }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { pre: [{ out: { decision: 'block', reason: 'async block' } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'async deny' } } }, { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'async pre ctx' } } }, {}], post: [{ out: { continue: false, stopReason: 'async halt' } }, { code: 2, err: 'async exit 2' }, {}], submit: [{ out: 'plain async' }] },
  model: calls(bash('sleep 0.5; echo a'), bash('sleep 0.5; echo b'), bash('sleep 0.5; echo c'), read('a.txt')),
};
