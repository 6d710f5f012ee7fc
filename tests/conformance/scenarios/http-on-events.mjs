import { bash, calls } from '../lib/calls.mjs';
const events = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolBatch', 'Stop', 'SessionEnd'];
// http hooks on other events: text is no context, JSON is
export default {
  http: (_, b) => { const e = JSON.parse(b).hook_event_name; return e === 'UserPromptSubmit' ? { body: { hookSpecificOutput: { hookEventName: e, additionalContext: 'HTTP CTX' } } } : e === 'PostToolUse' ? { body: { decision: 'block', reason: 'http says look' } } : { body: 'plain text' }; },
  settings: ({ httpUrl }) => ({ hooks: Object.fromEntries(events.map((e) => [e, [{ hooks: [{ type: 'http', url: `${httpUrl}/${e}` }] }]])) }),
  args: ['--allowedTools', 'Bash'],
  keep: { firstTold: ['HTTP CTX', 'plain text'] },
  model: calls(bash('echo hi')),
};
