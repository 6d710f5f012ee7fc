import fs from 'node:fs';
import { earlier } from '../lib/earlier.mjs';
const KEYS = ['exit_code', 'hook_event', 'hook_id', 'hook_name', 'outcome', 'output', 'session_id', 'stderr', 'stdout', 'subtype', 'type', 'uuid'];
const words = (l) => `${l.subtype} ${l.hook_name} ${KEYS.filter((k) => k in l).join(',')} outcome=${l.outcome} code=${l.exit_code}`;
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: hook('pre') }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: async (ctx) => { const { lines } = await earlier(ctx, { args: ['--allowedTools', 'Bash', '--include-hook-events'], script: [{ text: 'a', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] }, { text: 'one' }, { text: 'two' }] }); fs.writeFileSync(`${ctx.proj}/stream.txt`, lines.filter((l) => l.hook_name && l.subtype !== 'hook_progress').map(words).join(' · ')); return ['--allowedTools', 'Bash']; },
  replies: { stop: [{ code: 2, err: 'more' }, {}] },
  script: [{ text: 'look', tools: [{ name: 'Bash', input: { command: 'cat stream.txt', description: 'x' } }] }, { text: 'one' }],
};
