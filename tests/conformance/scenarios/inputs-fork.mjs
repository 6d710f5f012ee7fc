import { on, probe } from '../lib/probe.mjs';
import { earlier } from '../lib/earlier.mjs';
const say = (i) => ({ note: { event: i.hook_event_name, source: i.source, keys: Object.keys(i).sort().join(), same: i.transcript_path?.includes(i.session_id) } });
const events = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'Stop'];
// the fields of a session that was forked
export default {
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, (i) => ({ note: { event: i.hook_event_name, source: i.source, keys: Object.keys(i).filter((k) => !/stop_attempt|previous_reasons|changed_since|evidence/.test(k)).sort().join(), same: i.transcript_path?.includes(i.session_id) } }))]))),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--settings', '{"disableAllHooks":true}'], script: [{ text: 'first answer' }] }); return ['--continue', '--fork-session']; },
  keep: { order: true, firstTold: ['first prompt', 'first answer'] },
  script: [{ text: 'one' }],
};
