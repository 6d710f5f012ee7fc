import { bash, calls } from '../lib/calls.mjs';
const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'denied' } };
// which body is an answer, by status and form
export default {
  http: (n) => [{ status: 201, body: deny }, { status: 202, body: `\n ${JSON.stringify(deny)} \n` }, { status: 400, body: deny }, { status: 500, body: deny }, { body: [deny] }, { body: '"deny"' }, { body: `text ${JSON.stringify(deny)}` }, { body: { decision: 'block', reason: 'old' } }, { body: { continue: 'no' } }, { body: { hookSpecificOutput: { hookEventName: 'Stop' }, decision: 'block' } }][n],
  settings: ({ httpUrl, hook }) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: `${httpUrl}/gate` }] }], PostToolUse: [{ hooks: [{ type: 'command', command: hook('post') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  model: calls(...[...'abcdefghij'].map((x) => bash(`echo ${x}`))),
};
