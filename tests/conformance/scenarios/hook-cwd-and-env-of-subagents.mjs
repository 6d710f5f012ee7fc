import { on, probe } from '../lib/probe.mjs';
// the working directory and the variables of hooks after a cd, and in a subagent
const seen = (i, { env, cwd }) => ({ note: [i.hook_event_name, i.cwd === cwd, cwd.endsWith('/sub'), i.agent_type ?? null, env.CLAUDE_PROJECT_DIR === cwd, Object.keys(env).filter((k) => /^CLAUDE_(PROJECT_DIR|ENV_FILE|EFFORT)$|^CLAUDECODE$/.test(k)).sort().join()] });
export default {
  files: { 'sub/x': 'x' },
  settings: (ctx) => on(Object.fromEntries(['PreToolUse', 'PostToolUse', 'CwdChanged', 'SubagentStart', 'SubagentStop', 'Stop', 'SessionEnd'].map((e) => [e, probe(ctx, e, seen)]))),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const n = b.messages.filter((m) => m.role === 'assistant').length;
    const cmd = (command) => ({ text: 's', tools: [{ name: 'Bash', input: { command, description: 'x' } }] });
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return n ? { text: 'sub end' } : cmd('echo sub');
    return [cmd('cd sub && pwd'), { text: 'm', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'Explore', run_in_background: false } }] }][n] ?? { text: 'main end' };
  },
};
