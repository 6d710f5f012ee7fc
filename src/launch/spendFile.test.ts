import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type SpendEntry, SpendLedger } from '../models/ledger.ts';
import { NO_USAGE } from '../models/types.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { noteLimit, readSpendFile, spendRecorder } from './spendFile.ts';

const entry = (outputTokens: number, usd: number | null): SpendEntry => ({
  source: 'background',
  model: 'm',
  usage: { ...NO_USAGE, outputTokens },
  cost: usd === null ? { type: 'unknown' } : { type: 'usd', usd },
  durationMs: 1,
});

it('writes after each request what a launcher reads, also when the last line is torn', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'x.spend');
  const env = { STOPGATE_SPEND_FILE: file };
  expect(readSpendFile(file)).toEqual({ spend: null, limit: null });
  const ledger = new SpendLedger(spendRecorder(env));
  ledger.record(entry(10, 0.5));
  ledger.record(entry(20, 0.25));
  expect(readSpendFile(file)).toEqual({ spend: { outputTokens: 30, usd: 0.75 }, limit: null });
  ledger.record(entry(1, null));
  noteLimit(env, { reason: 'completed' });
  noteLimit(env, { reason: 'tokens_exhausted', outputTokens: 31, maxOutputTokens: 31 });
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"outputTok`);
  expect(readSpendFile(file)).toEqual({ spend: { outputTokens: 31, usd: null }, limit: 'tokens' });
});

it('writes nothing without a launcher, and survives a folder that is gone', () => {
  expect(spendRecorder({})).toBeUndefined();
  expect(() => spendRecorder({ STOPGATE_SPEND_FILE: '/nowhere/at/all' })?.(new SpendLedger())).not.toThrow();
});
