import { bash, calls } from '../lib/calls.mjs';
import { answer } from '../lib/steps.mjs';
const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop'];
// two hooks that add context on each event: in one text or two
export default {
  settings: ({ hook }) => ({ hooks: Object.fromEntries(events.map((e) => [e, [{ hooks: [{ type: 'command', command: hook(`a${e}`) }, { type: 'command', command: hook(`b${e}`) }] }]])) }),
  args: ['--allowedTools', 'Bash'],
  keep: { firstTold: ['additional context: A SessionStart\nB SessionStart', 'additional context: A UserPromptSubmit\nB UserPromptSubmit', 'additional context: B SessionStart', 'additional context: B UserPromptSubmit'] },
  replies: Object.fromEntries(events.flatMap((e) => [[`a${e}`, [answer(e, { additionalContext: `A ${e}` }), {}]], [`b${e}`, [{ ...answer(e, { additionalContext: `B ${e}` }), sleep: 0.3 }, {}]]])),
  model: calls(bash('echo hi'), bash('exit 3')),
};
