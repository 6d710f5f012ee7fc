import { bash, calls, fate, read } from '../lib/calls.mjs';
// odd spellings of a denied path
export default {
  files: { '.env': 's\n', 'sp ace/.env': 's\n', '.env.local': 's\n', 'x.env': 's\n' },
  settings: (ctx) => ({ permissions: { deny: ['Read(./.env)', 'Read(./.env.*)'] }, hooks: fate(ctx) }),
  args: ['--allowedTools', 'Bash', 'Read'],
  keep: { noResults: true },
  model: calls(read('./.env'), read('.//.env'), read('.env.local'), read('x.env'), read('sp ace/.env'), bash('cat .e""nv'), bash("cat '.env'"), bash('cat .env.local'), bash('cat x.env')),
};
