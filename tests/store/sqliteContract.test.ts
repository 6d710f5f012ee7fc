import { describe, it } from 'vitest';
import { type StoreTools, storeContract } from '../../src/testing/storeContract.ts';
import { sampleOf } from '../support/testSize.ts';
import { passingWith } from './support/passing.ts';
import { SQLITE_KINDS, testFiles } from './support/sqliteStores.ts';

// one in memory answers as a file does, and nobody's tasks are in one
describe.each(sampleOf(SQLITE_KINDS, (kind) => kind !== 'memory'))('SQLite, %s', (kind) => {
  // not `it.for`: it cuts names short
  for (const { name, run } of storeContract)
    it(name, async () => {
      await using files = await testFiles(kind, Date.UTC(2026, 0, 1));
      let others = 0;
      const tools: StoreTools = {
        advance: files.clock.advance,
        connect: () => files.open('store.db'),
        another: () => files.open(`another-${++others}.db`),
        passing: passingWith(files.clock.advance),
      };
      await run(await files.open('store.db'), tools);
    });
});
