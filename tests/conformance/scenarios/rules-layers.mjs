import { bash, calls, fate, trusted } from '../lib/calls.mjs';
// a deny of any layer beats an allow of any other
export default {
  userSettings: { permissions: { deny: ['Bash(touch user*)'], allow: ['Bash(touch fromuser)'] } },
  settings: (ctx) => (trusted(ctx), { permissions: { allow: ['Bash(touch user*)', 'Bash(touch local*)', 'Bash(touch flag*)'], deny: ['Bash(touch project*)'] }, hooks: fate(ctx) }),
  localSettings: { permissions: { deny: ['Bash(touch local*)'], allow: ['Bash(touch project*)'] } },
  args: ['--settings', JSON.stringify({ permissions: { deny: ['Bash(touch flag*)'], allow: ['Bash(touch user*)'] } })],
  keep: { noResults: true },
  model: calls(bash('touch user1'), bash('touch project1'), bash('touch local1'), bash('touch flag1'), bash('touch fromuser')),
};
