import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: 'Look at @notes.txt',
  files: { 'notes.txt': 'NOTE-CONTENT' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => /^(expansion_type|command_|prompt$)/.test(k))) })), UserPromptSubmit: ctx.hook('prompt'), PreToolUse: ctx.hook('pre'), Stop: ctx.hook('stop') }),
  keep: { firstTold: ['NOTE-CONTENT', '@notes.txt'], order: true },
  script: [{ text: 'one' }],
};
