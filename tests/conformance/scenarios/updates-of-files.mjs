import { bash, calls, read, tool, write } from '../lib/calls.mjs';
import { answer } from '../lib/steps.mjs';
import { on, probe } from '../lib/probe.mjs';
// updatedInput of Write, Read and Bash: what runs, what the other hooks see, what the conversation keeps
export default {
  files: { 'a.txt': 'AAA', 'b.txt': 'BBB' },
  settings: (ctx) => on({ PreToolUse: probe(ctx, 'pre', (i) => {
    const p = i.cwd; const t = i.tool_input;
    const u = i.tool_name === 'Write' ? { ...t, content: 'changed\n' } : i.tool_name === 'Read' ? { file_path: `${p}/b.txt` } : i.tool_name === 'Bash' && /one/.test(t.command) ? { command: 'echo two' } : null;
    return u && { out: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: u } } };
  }), PostToolUse: probe(ctx, 'post', (i) => ({ note: [i.tool_name, i.tool_input] })) }),
  args: ['--allowedTools', 'Bash', 'Write'],
  model: calls(write('c.txt'), bash('cat c.txt'), bash('echo one')),
};
