import { on, probe } from '../lib/probe.mjs';
// CLAUDE.md of the home, the project, .claude/, and the local one
export default {
  files: { 'CLAUDE.md': 'PROJECT-WORDS', '.claude/CLAUDE.md': 'DOT-WORDS', 'CLAUDE.local.md': 'LOCAL-WORDS', '../home/.claude/CLAUDE.md': 'USER-WORDS', '.claude/rules/r.md': 'RULE-WORDS', 'AGENTS.md': 'AGENTS-WORDS' },
  settings: (ctx) => on({ InstructionsLoaded: probe(ctx, 'loaded', (i) => ({ note: [i.file_path, i.load_reason, i.memory_type] })), Stop: probe(ctx, 'stop', () => new Promise((done) => setTimeout(() => done({ note: 'waited' }), 700))) }),
  keep: { firstTold: ['PROJECT-WORDS', 'DOT-WORDS', 'LOCAL-WORDS', 'USER-WORDS', 'RULE-WORDS', 'AGENTS-WORDS'] },
  script: [{ text: 'one' }],
};
