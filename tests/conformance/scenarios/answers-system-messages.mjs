import { bash, calls } from '../lib/calls.mjs';
import { hooksOn } from '../lib/steps.mjs';
const say = (systemMessage) => [{ out: { systemMessage, suppressOutput: true } }];
// systemMessage on every event of a turn: none of them is for the model
export default {
  settings: hooksOn({ SessionStart: 'start', UserPromptSubmit: 'submit', PreToolUse: 'pre', PostToolUse: 'post', PostToolUseFailure: 'failure', PostToolBatch: 'batch', Stop: 'stop', SessionEnd: 'end' }),
  args: ['--allowedTools', 'Bash'],
  keep: { firstTold: ['SYS START', 'SYS SUBMIT'] },
  replies: { start: say('SYS START'), submit: say('SYS SUBMIT'), pre: say('SYS PRE'), post: say('SYS POST'), failure: say('SYS FAILURE'), batch: say('SYS BATCH'), stop: say('SYS STOP'), end: say('SYS END') },
  model: calls(bash('echo one'), bash('exit 3')),
};
