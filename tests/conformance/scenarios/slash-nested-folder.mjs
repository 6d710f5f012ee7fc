import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/deep:greet you',
  files: { '.claude/commands/deep/greet.md': 'Nested hello $ARGUMENTS' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => /^(expansion_type|command_|prompt$)/.test(k))) })), UserPromptSubmit: ctx.hook('prompt'), PreToolUse: ctx.hook('pre'), Stop: ctx.hook('stop') }),
  keep: { firstTold: ['Nested hello you', '/deep:greet you'], order: true },
  script: [{ text: 'one' }],
};
