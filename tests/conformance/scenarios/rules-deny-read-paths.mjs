import { calls, fate, read } from '../lib/calls.mjs';
// the path forms of a deny rule for Read
export default {
  files: { 'secret.txt': 's\n', 'deep/secret.txt': 's\n', '.env': 's\n', 'deep/.env': 's\n', 'keys/a.pem': 's\n', 'deep/keys/b.pem': 's\n', 'root/only.txt': 's\n', 'deep/root/only.txt': 's\n', '../home/private/p.txt': 's\n', '../outside/o.txt': 's\n' },
  settings: (ctx) => ({ permissions: { deny: ['Read(./secret.txt)', 'Read(.env)', 'Read(keys/**)', 'Read(/root/*)', 'Read(~/private/**)', `Read(/${ctx.root}/outside/**)`] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Read'],
  keep: { noResults: true },
  model: calls(read('secret.txt'), read('deep/secret.txt'), read('.env'), read('deep/.env'), read('keys/a.pem'), read('deep/keys/b.pem'), read('root/only.txt'), read('deep/root/only.txt'), (p) => read(`${p}/../home/private/p.txt`)(p), (p) => read(`${p}/../outside/o.txt`)(p), (p) => read(`${p}/deep/../secret.txt`)(p)),
};
