import { calls, read } from '../lib/calls.mjs';
import { on, probe, whole } from '../lib/probe.mjs';
// rules for paths, in each form of front matter
export default {
  files: { 'CLAUDE.md': 'Root.', '.claude/rules/string.md': '---\npaths: "**/*.ts"\n---\nString.', '.claude/rules/list.md': '---\npaths: ["**/*.ts"]\n---\nList.', '.claude/rules/lines.md': '---\npaths:\n  - "sub/*.ts"\n---\nLines.', '.claude/rules/comma.md': '---\npaths: "*.md, **/*.ts"\n---\nComma.', '.claude/rules/globs.md': '---\nglobs: "**/*.ts"\n---\nGlobs.', '.claude/rules/braces.md': '---\npaths: "**/*.{ts,js}"\n---\nBraces.', '.claude/rules/other.md': '---\npaths: "**/*.py"\n---\nOther.', 'sub/b.ts': 'x' },
  settings: (ctx) => on({ InstructionsLoaded: probe(ctx, 'loaded', whole) }),
  keep: { noResults: true },
  model: calls(read('sub/b.ts'), read('sub/b.ts')),
};
