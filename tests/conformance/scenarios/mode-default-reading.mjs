import { bash, calls, fate } from '../lib/calls.mjs';
// commands that only read need no rule; those that look alike do
export default {
  files: { a: 'x\n' },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('ls -la'), bash('cat a'), bash('pwd'), bash('grep x a'), bash('find . -name a'), bash('head -1 a | wc -l'), bash('git log --oneline || true'), bash('git status'), bash('echo hi'), bash('cat a && ls'), bash('stat a'), bash('sort a'), bash('diff a a'), bash('date'), bash('whoami')),
};
