import { on, probe } from '../lib/probe.mjs';
import { earlier } from '../lib/earlier.mjs';
const events = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'Stop'];
// the fields of a session that was continued
export default {
  settings: (ctx) => on(Object.fromEntries(events.map((e) => [e, probe(ctx, e, (i) => ({ note: { event: i.hook_event_name, source: i.source, keys: Object.keys(i).filter((k) => !/stop_attempt|previous_reasons|changed_since|evidence/.test(k)).sort().join(), same: i.transcript_path?.includes(i.session_id) } }))]))),
  args: async (ctx) => { await earlier(ctx, { prompt: 'first prompt', args: ['--settings', '{"disableAllHooks":true}'], script: [{ text: 'first answer' }] }); return ['--continue', '--allowedTools', 'Bash']; },
  keep: { order: true, firstTold: ['first prompt', 'first answer'] },
  script: [{ tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] }, { text: 'one' }],
};
