import { bash, calls, fate } from '../lib/calls.mjs';
// more commands that only read, or only seem to
export default {
  files: { a: 'x\n', 'd/b': 'x\n' },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('sed s/x/y/ a'), bash('sed -n 1p a'), bash('sed "w out" a'), bash('awk "{print}" a'), bash('cut -c1 a'), bash('tail -f a & kill %1'), bash('tr a b < a'), bash('uniq a'), bash('test -e a'), bash('which ls'), bash('basename a'), bash('realpath a'), bash('du -sh .'), bash('file a'), bash('git diff'), bash('git show HEAD || true'), bash('jq . a')),
};
