import { bash, calls, fate } from '../lib/calls.mjs';
export default {
  files: { a: 'x\n', 'b/c': 'x\n' },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('find . -name c -delete'), bash('find . -name c -exec touch {} ;'), bash('echo hi > out'), bash('sort -o out a'), bash('sed -i s/x/y/ a'), bash('git branch -D nothing'), bash('cat a | tee out'), bash('ls $(touch out)'), bash('echo "$(cat a)"'), bash('xargs touch < a'), bash('awk "BEGIN{system(\\"touch out\\")}"'), bash('git -c core.pager=touch log'), bash('env'), bash('cat /etc/hostname'), bash('cd .. && ls'), bash('export X=1')),
};
