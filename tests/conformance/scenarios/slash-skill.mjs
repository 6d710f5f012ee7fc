import { on, probe } from '../lib/probe.mjs';
export default {
  prompt: '/pack you',
  files: { '.claude/skills/pack/SKILL.md': '---\nname: pack\ndescription: Packs\n---\nPack things for $ARGUMENTS now.' },
  settings: (ctx) => on({ UserPromptExpansion: probe(ctx, 'expansion', (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => /^(expansion_type|command_|prompt$)/.test(k))) })), UserPromptSubmit: ctx.hook('prompt'), PreToolUse: ctx.hook('pre'), Stop: ctx.hook('stop') }),
  keep: { firstTold: ['Pack things for you now.', 'Base directory for this skill'], order: true },
  script: [{ text: 'one' }],
};
