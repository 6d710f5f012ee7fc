import { bash, calls, fate } from '../lib/calls.mjs';
export default {
  files: { a: 'x\n' },
  settings: (ctx) => ({ hooks: fate(ctx) }),
  keep: { noResults: true },
  model: calls(bash('for f in a; do cat $f; done'), bash('if [ -e a ]; then cat a; fi'), bash('while read x; do echo $x; done < a'), bash('cat a 2>/dev/null'), bash('cat a 2>&1'), bash('cat a > /dev/null'), bash('echo ${X:-none}'), bash('ls; ls'), bash('sleep 0.1'), bash('true'), bash('printf "%s" x'), bash('node -e 1'), bash('ls /')),
};
