import { bash, calls, read, tool, write } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// what a PermissionRequest hook is offered to allow for good, for each kind of call
export default {
  files: { 'a.txt': 'a', 'n.ipynb': '{}' },
  settings: (ctx) => on({ PermissionRequest: probe(ctx, 'ask', (i) => ({ note: [i.tool_name, i.tool_input.command ?? i.tool_input.file_path, i.permission_suggestions] })) }),
  keep: { noResults: true, order: true },
  model: calls(bash('npm test'), bash('npm run build -- --fast'), bash('touch new'), bash('mkdir -p a/b'), bash('rm a.txt'), bash('git push origin main'), bash('node -e "1"'), bash('npm test && npm run lint'), bash('python3 x.py > out.txt'), bash('touch /tmp/elsewhere-xyz'), bash('cat /etc/hostname'), write('new.txt'), read('/etc/hostname'), write('/tmp/elsewhere-xyz'), bash('FOO=1 make all'), bash('make | tee log'), () => tool('WebFetch', { url: 'http://127.0.0.1:9/x', prompt: 'p' })),
};
