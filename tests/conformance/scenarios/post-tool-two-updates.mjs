import { bash, calls } from '../lib/calls.mjs';
import { answer, hooksOn } from '../lib/steps.mjs';
const out = (stdout) => ({ stdout, stderr: '', interrupted: false, isImage: false });
// an output that is replaced, with context and a block beside it; two that replace it; an empty one; one that failed
export default {
  settings: ({ hook }) => ({ hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: hook('a') }, { type: 'command', command: hook('b') }] }], PostToolUseFailure: [{ hooks: [{ type: 'command', command: hook('f') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: {
    a: [answer('PostToolUse', { updatedToolOutput: out('from a'), additionalContext: 'ctx a' }, { decision: 'block', reason: 'blocked too' }), { ...answer('PostToolUse', { updatedToolOutput: out('first') }) }, answer('PostToolUse', { updatedToolOutput: out('') }), answer('PostToolUse', { updatedToolOutput: 'a string' }), answer('PostToolUse', { updatedToolOutput: null }), {}],
    b: [{}, { ...answer('PostToolUse', { updatedToolOutput: out('second') }), sleep: 0.4 }, {}],
    f: [answer('PostToolUseFailure', { updatedToolOutput: out('mended'), additionalContext: 'failure ctx' })],
  },
  model: calls(bash('echo one'), bash('echo two'), bash('echo three'), bash('echo four'), bash('echo five'), bash('exit 3')),
};
