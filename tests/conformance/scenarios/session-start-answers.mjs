import { bash, calls } from '../lib/calls.mjs';
// several SessionStart hooks: plain text, context, exit 2, JSON with a title and paths to watch, JSON among lines of text
export default {
  settings: ({ hook }) => ({ hooks: { SessionStart: [{ hooks: ['plain', 'json', 'exit2', 'title', 'mixed', 'exit1', 'sys'].map((n) => ({ type: 'command', command: hook(n) })) }], UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('submit') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { firstTold: ['PLAIN', 'JSON CTX', 'EXIT2 OUT', 'EXIT2 ERR', 'MIXED', 'EXIT1 OUT', 'EXIT1 ERR', 'SYS'] },
  replies: { plain: [{ out: 'PLAIN' }], json: [{ out: { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'JSON CTX' } } }], exit2: [{ out: 'EXIT2 OUT', err: 'EXIT2 ERR', code: 2 }], title: [{ out: { hookSpecificOutput: { hookEventName: 'SessionStart', sessionTitle: 'T', watchPaths: ['/nowhere'], reloadSkills: true } } }], mixed: [{ out: 'text\n{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"MIXED"}}' }], exit1: [{ out: 'EXIT1 OUT', err: 'EXIT1 ERR', code: 1 }], sys: [{ out: { systemMessage: 'SYS' } }] },
  model: calls(bash('echo hi')),
};
