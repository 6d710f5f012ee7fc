import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/nothere the world',
  files: { '.claude/commands/greet.md': 'Say hello.' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => /^(expansion_type|command_|prompt$)/.test(k))) })), UserPromptSubmit: ctx.hook('prompt'), PreToolUse: ctx.hook('pre'), Stop: ctx.hook('stop') }),
  keep: { firstTold: ['/nothere the world'], order: true },
  script: [{ text: 'one' }],
};
