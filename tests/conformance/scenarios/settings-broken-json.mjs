// a settings file that is no JSON, beside others that are
import fs from 'node:fs';
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('project') }] }] } }),
  localSettings: (ctx) => { fs.mkdirSync(`${ctx.root}/home/.claude`, { recursive: true }); fs.writeFileSync(`${ctx.root}/home/.claude/settings.json`, '{ "hooks": { "Stop": [ }'); return { hooks: { Stop: [{ hooks: [{ type: 'command', command: ctx.hook('local') }] }] } }; },
  script: [{ text: 'one' }],
};
