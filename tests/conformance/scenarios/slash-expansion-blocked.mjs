import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/greet the world',
  files: { '.claude/commands/greet.md': 'Say hello to $ARGUMENTS loudly.' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', () => ({ note: 'seen', out: { decision: 'block', reason: 'not today' } })), UserPromptSubmit: ctx.hook('prompt'), Stop: ctx.hook('stop') }),
  keep: { order: true },
  script: [{ text: 'one' }],
};
