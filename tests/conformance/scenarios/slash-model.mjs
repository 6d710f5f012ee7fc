import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/greet you',
  files: { '.claude/commands/greet.md': '---\nmodel: claude-haiku-4-5\n---\nGo.' },
  settings: (ctx) => on({ Stop: ctx.hook('stop') }),
  model: (b, { main }) => main ? { text: `model ${b.model}` } : { text: 'ok' },
};
