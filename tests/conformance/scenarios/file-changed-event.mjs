import { bash, calls } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
export default {
  files: { 'watched.txt': 'x\n' },
  settings: (ctx) => ({ hooks: { FileChanged: [{ matcher: 'watched.txt', hooks: [{ type: 'command', command: probe(ctx, 'changed', (i) => ({ note: [i.file_path, i.event] })) }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true },
  model: calls(bash('sleep 1; echo y > watched.txt; sleep 1.5')),
};
