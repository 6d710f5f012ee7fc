import { on, probe } from '../lib/probe.mjs';
// what a Stop hook finds in the transcript: one line for each content block
export default {
  settings: (ctx) => on({ Stop: probe(ctx, 'stop', (i, { fs }) => ({ note: fs.readFileSync(i.transcript_path, 'utf8').trim().split('\n').map((l) => JSON.parse(l)).filter((l) => l.type === 'user' || l.type === 'assistant').map((l) => [l.type, typeof l.message.content === 'string' ? 'string' : l.message.content.map((b) => b.type).join('+'), ...['gitBranch', 'userType', 'sessionId', 'cwd', 'version', 'uuid', 'parentUuid', 'timestamp', 'isSidechain'].filter((k) => k in l), l.userType ?? '']).slice(0, 4) })) }),
  args: ['--allowedTools', 'Bash'],
  keep: { order: true },
  script: [{ text: 'look', tools: [{ name: 'Bash', input: { command: 'echo hi', description: 'x' } }] }, { text: 'one' }],
};
