import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longestFirst.ts';

/** As the build does: a `.sql` file is a module whose default export is its text. */
const sqlAsText = {
  name: 'sql-as-text',
  transform: (text: string, id: string) =>
    id.endsWith('.sql') ? { code: `export default ${JSON.stringify(text)};`, map: null } : undefined,
};

const UNITS = ['src/**/*.test.ts'];
/**
 * They start git hundreds of times, and each start copies the page tables of this process: in one that has run two hundred files it
 * takes five times as long as in a fresh one.
 */
const GIT = globSync(UNITS, { cwd: import.meta.dirname }).filter((file) =>
  /\b(?:git|trap)Repository\(/.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
);
/** What a gateway refused is remembered by its address for as long as the process lives, and a port may come again. */
const MODELS = ['src/models/**/*.test.ts'];

export default defineConfig({
  plugins: [sqlAsText],
  test: {
    globalSetup: ['tests/support/leftovers.ts'],
    sequence: { sequencer: LongestFirst },
    // most tests wait for processes that they started, so there is room for more of them than the machine has cores
    maxWorkers: availableParallelism() + 4,
    // a hang is a failure with a name, not a stuck run
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // on a busy machine a process may wait many seconds for its turn
    expect: { poll: { timeout: 20_000, interval: 10 } },
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
    projects: [
      // a process per file costs more than most of these files do
      { extends: true, test: { name: 'units', include: UNITS, exclude: [...MODELS, ...GIT], isolate: false } },
      { extends: true, test: { name: 'whole', include: ['tests/**/*.test.ts', ...MODELS, ...GIT] } },
    ],
  },
});
