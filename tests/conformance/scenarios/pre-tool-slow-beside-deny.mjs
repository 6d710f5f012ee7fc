import { bash, calls } from '../lib/calls.mjs';
import { preAnswer } from '../lib/steps.mjs';
// a denial beside a slow hook that allows with another input: both run to their end
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: hook('fast') }, { type: 'command', command: hook('slow') }] }], PostToolUse: [{ hooks: [{ type: 'command', command: hook('post') }] }] } }),
  replies: { fast: [preAnswer('deny', 'fast denies'), preAnswer('allow', 'fast allows', { additionalContext: 'FAST' })], slow: [{ ...preAnswer('allow', 'slow allows', { updatedInput: { command: 'echo slow' }, additionalContext: 'SLOW' }), sleep: 0.6 }] },
  model: calls(bash('echo a'), bash('echo b')),
};
