import { on, probe } from '../lib/probe.mjs';
import { earlier } from '../lib/earlier.mjs';
const events = ['PreCompact', 'PostCompact', 'SessionStart', 'SessionEnd', 'UserPromptSubmit', 'UserPromptExpansion', 'Stop'];
// every field of the events around /compact with instructions
export default {
  prompt: '/compact keep the names',
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, (i) => ({ note: Object.fromEntries(Object.entries(i).filter(([k]) => !/_id$|path|cwd/.test(k)).map(([k, v]) => [k, /^(model|seconds|estimated)/.test(k) ? typeof v : v])) }))]))),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--settings', '{"disableAllHooks":true}'], script: [{ text: 'first answer' }] }); return ['--continue']; },
  keep: { order: true, noResults: true, anyWords: true },
  model: () => ({ text: '<summary>THE SUMMARY</summary>' }),
};
