import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/greet you',
  files: { '.claude/commands/greet.md': '---\nallowed-tools: Bash(touch:*)\n---\nGo.' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => /^(expansion_type|command_|prompt$)/.test(k))) })), UserPromptSubmit: ctx.hook('prompt'), PreToolUse: ctx.hook('pre'), Stop: ctx.hook('stop') }),
  keep: { firstTold: ['Go.'], order: true },
  script: [{ text: 'a', tools: [{ name: 'Bash', input: { command: 'touch x', description: 'x' } }] }, { text: 'one' }],
};
