import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/greet a b',
  files: { '.claude/commands/greet.md': '---\narguments: [who, where]\nargument-hint: [who] [where]\n---\nMeet $who at $where' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => /^(expansion_type|command_|prompt$)/.test(k))) })), UserPromptSubmit: ctx.hook('prompt'), PreToolUse: ctx.hook('pre'), Stop: ctx.hook('stop') }),
  keep: { firstTold: ['Meet a at b'], order: true },
  script: [{ text: 'one' }],
};
