import fs from 'node:fs';
const stop = (ctx, name) => JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: ctx.hook(name) }] }] } });
// a byte order mark, and comments
export default {
  settings: () => ({}),
  localSettings: (ctx) => { fs.mkdirSync(`${ctx.root}/home/.claude`, { recursive: true }); fs.writeFileSync(`${ctx.root}/home/.claude/settings.json`, `\uFEFF${stop(ctx, 'bom')}`); fs.writeFileSync(`${ctx.proj}/.claude/settings.json`, `// a comment\n${stop(ctx, 'comment')}`); return JSON.parse(stop(ctx, 'local')); },
  script: [{ text: 'one' }],
};
