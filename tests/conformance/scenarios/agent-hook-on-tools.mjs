import { bash } from '../lib/steps.mjs';
// an agent hook's no before and after a tool call
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'agent', if: 'Bash(touch *)', prompt: 'REVIEW before. $ARGUMENTS' }] }], PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'agent', if: 'Bash(echo *)', prompt: 'REVIEW after. $ARGUMENTS' }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  replies: { stop: [{}] },
  side: (b) => JSON.stringify(b.messages[0].content).includes('REVIEW'),
  model: (b, { main, n }) => {
    if (main) return [bash('touch a'), bash('echo hi'), { text: 'finished' }][Math.min(n, 2)];
    const names = (b.tools ?? []).map((t) => t.name);
    return names.includes('StructuredOutput') ? { tools: [{ name: 'StructuredOutput', input: { ok: false, reason: 'not reviewed' } }] } : { text: JSON.stringify({ ok: false, reason: 'not reviewed' }) };
  },
};
