import { bash, calls, tool, watch } from '../lib/calls.mjs';
// a file that the prompt names counts as read: it may be edited, and its folder's instructions are loaded; no tool hooks run for it
export default {
  prompt: 'Look at @sub/a.txt',
  files: { 'sub/a.txt': 'AAA', 'sub/CLAUDE.md': 'SUB-INSTRUCTIONS' },
  settings: (ctx) => ({ hooks: watch(ctx, 'InstructionsLoaded', 'PreToolUse', 'PostToolUse') }),
  args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
  keep: { firstTold: ['AAA', 'SUB-INSTRUCTIONS'], noResults: true },
  model: calls(
    (p) => tool('Edit', { replace_all: false, file_path: `${p}/sub/a.txt`, old_string: 'AAA', new_string: 'BBB' }),
    bash('cat sub/a.txt'),
  ),
};
