import { earlier } from '../lib/earlier.mjs';
import { on, probe } from '../lib/probe.mjs';
export default {
  settings: (ctx) => on({ SessionStart: probe(ctx, 'start', (i, { fs, env }) => { const f = `${env.ORACLE_DIR}/ids`; const before = fs.existsSync(f) ? fs.readFileSync(f, 'utf8').split('\n') : []; fs.appendFileSync(f, `${i.session_id}\n`); return { note: { source: i.source, known: before.includes(i.session_id) } }; }) }),
  prompt: 'and again',
  args: async (ctx) => { await earlier(ctx, { script: [{ text: 'earlier answer' }] }); return ['--continue', '--fork-session']; },
  keep: { order: true, firstTold: ['earlier answer', 'and again'] },
  script: [{ text: 'one' }],
};
