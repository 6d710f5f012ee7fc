import { hooksOn } from '../lib/steps.mjs';
// suppressOutput, stopReason without continue, unknown fields: none of them changes a block
export default {
  settings: hooksOn({ Stop: 'stop' }),
  replies: { stop: [{ out: { suppressOutput: true, decision: 'block', reason: 'one' } }, { out: { stopReason: 'alone', decision: 'block', reason: 'two', unknown: { a: 1 } } }, { out: { continue: true, decision: 'block', reason: 'three', hookSpecificOutput: { hookEventName: 'Stop' } } }, { out: { decision: 'approve', reason: 'fine', hookSpecificOutput: { hookEventName: 'Stop', additionalContext: '' } } }] },
  script: [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }],
};
