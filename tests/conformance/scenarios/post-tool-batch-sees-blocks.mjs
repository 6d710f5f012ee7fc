import { on, probe } from '../lib/probe.mjs';
import { bash } from '../lib/steps.mjs';
// what PostToolBatch is given for calls that hooks refused
export default {
  settings: (ctx) => on({
    PreToolUse: probe(ctx, 'pre', (i, { n }) => [{ note: 'exit 2', code: 2, err: 'no\n' }, { note: 'exit 2 twice', code: 2, err: '\n two\nlines \n\n' }, { note: 'deny', out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'denied\n' } } }, { note: 'fine' }, { note: 'fine' }][n - 1]),
    PostToolUse: probe(ctx, 'post', () => ({ note: 'post', code: 2, err: 'after\n' })),
    PostToolBatch: probe(ctx, 'batch', (i) => ({ note: i.tool_calls.map((c) => c.tool_response) })),
  }),
  args: ['--allowedTools', 'Bash'],
  keep: { order: true },
  script: [bash('echo a'), bash('echo b'), bash('echo c'), bash('echo d'), { text: 'finished' }],
};
