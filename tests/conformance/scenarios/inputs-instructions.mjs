import { bash, calls, read } from '../lib/calls.mjs';
import { on, probe, whole } from '../lib/probe.mjs';
// every field of InstructionsLoaded
export default {
  files: { 'CLAUDE.md': 'Root. @extra.md', 'extra.md': 'Extra.', 'sub/CLAUDE.md': 'Sub.', 'sub/a.txt': 'a', '.claude/rules/ts.md': '---\npaths: "**/*.ts"\n---\nTypes.', '.claude/rules/all.md': 'All.', 'sub/b.ts': 'x', 'CLAUDE.local.md': 'Local.' },
  settings: (ctx) => on({ InstructionsLoaded: probe(ctx, 'loaded', whole) }),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true, anyWords: true },
  model: calls(read('sub/a.txt'), read('sub/b.ts'), bash('sleep 1.5')),
};
