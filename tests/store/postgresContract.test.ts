import { describe, it } from 'vitest';
import { type StoreTools, storeContract } from '../../src/testing/storeContract.ts';
import { passingWith } from './support/passing.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';

const START = Date.UTC(2026, 0, 1);
const database = databaseOfThisFile();

describe('PostgreSQL', () => {
  // not `it.for`: it cuts names short
  for (const { name, run } of storeContract)
    it(name, async () => {
      await using closing = new AsyncDisposableStack();
      const schema = closing.use(await database.schema(START));
      const tools: StoreTools = {
        advance: schema.advance,
        connect: schema.open,
        another: async () => closing.use(await database.schema(START)).open(),
        passing: passingWith(schema.advance),
      };
      await run(await schema.open(), tools);
    });
});
