import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/greet "big wide" world',
  files: { '.claude/commands/greet.md': 'First $1 then $2, third [$3], all $ARGUMENTS, zero $0, indexed $ARGUMENTS[0].' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => /^(expansion_type|command_|prompt$)/.test(k))) })), UserPromptSubmit: ctx.hook('prompt'), PreToolUse: ctx.hook('pre'), Stop: ctx.hook('stop') }),
  keep: { firstTold: ['First "big wide" then world', 'First big wide then world', 'First world', 'third []', 'third [$3]', 'all "big wide" world', 'zero big wide', 'zero greet', 'indexed big wide.'], order: true },
  script: [{ text: 'one' }],
};
