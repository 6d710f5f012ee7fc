import { readFileSync } from 'node:fs';
import postgres from 'postgres';
import { it, expect } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { assertSound } from './support/soundness.ts';
const url = JSON.parse(readFileSync('/tmp/atk/pg.json', 'utf8')).url;
const text = readFileSync(new URL('./sameAnswers.test.ts', import.meta.url), 'utf8');
const sqlText = /OWN_ROWS_THAT_ARE_WRONG = `([\s\S]*?)`;/.exec(text)![1]!.replaceAll('stopgate.', (process.env.SCHEMA ?? 'chaos') + '.');
it('pg rows', { timeout: 60000 }, async () => {
  const sql = postgres(url, { max: 1 });
  const rows = await sql.unsafe(sqlText);
  await sql.end();
  expect(rows.slice(0, 5)).toEqual([]);
});
it('pg sound', { timeout: 200000 }, async () => {
  const store = await openStore(url, { schema: process.env.SCHEMA ?? 'chaos' }); if ('type' in store) throw new Error(store.reason);
  try { await assertSound(store); } finally { await store.close(); }
});
it('sqlite sound', { timeout: 200000 }, async () => {
  const store = await openStore('/tmp/atk/chaos.db'); if ('type' in store) throw new Error(store.reason);
  try { await assertSound(store); } finally { await store.close(); }
});
