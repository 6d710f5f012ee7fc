import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EntryOf, LedgerEntry } from '../../schemas/ledger.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { receiptOf } from './receiptOf.ts';
import { keyId, localKey, publicKeyOf, receiptText, signReceipt } from './signing.ts';
import { verifyReceipt } from './verifyReceipt.ts';

const about = { session: 's', folder: '/p', agent: 'claudeCode', hostPid: 1, launch: null, worker: null };
const at = (minute: number) => `2026-11-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const start: LedgerEntry = { ...about, at: at(0), type: 'sessionStart', ending: null };
const stop = (minute: number, ending: EntryOf<'stop'>['ending'], more: Partial<EntryOf<'stop'>> = {}): LedgerEntry => ({
  ...{ ...about, at: at(minute), type: 'stop', ending, durationMs: 1200, ...more },
});
const ran = { exitCode: 0, durationMs: 900, endedAt: at(4) };
const passed = {
  type: 'passed',
  reason: 'passed (tests)',
  checks: [{ name: 'tests', outcome: 'passed', ran }],
} as const;
const end = (ending: string, usd: number | null, reason = ''): LedgerEntry => ({
  ...{ ...about, at: at(9), type: 'end', scope: 'turn', ending, reason, durationMs: 5 },
  spend: { usd, outputTokens: 10, requests: 1, bySource: { turn: usd ?? 0 } },
});

describe('a receipt', () => {
  it.each<[string, readonly LedgerEntry[], { outcome: string; isProven: boolean; notProven: RegExp | null }]>([
    ['passed', [start, stop(4, passed)], { outcome: 'passed', isProven: true, notProven: /tool results/ }],
    [
      'nothing armed',
      [start, end('completed', 0)],
      { outcome: 'completed', isProven: false, notProven: /Nothing was armed/ },
    ],
    [
      'never asked',
      [start, stop(4, { type: 'notAsked', reason: 'not asked (x)', checks: [] })],
      { outcome: 'notAsked', isProven: false, notProven: /gave no proof: not asked/ },
    ],
    [
      'waived',
      [stop(4, { type: 'waived', reason: 'waived (tests: down)', checks: [] })],
      { outcome: 'waived', isProven: false, notProven: /A person accepted what fails/ },
    ],
    [
      'checks that the agent changed',
      [stop(4, { ...passed, changed: 'the checks changed' })],
      { outcome: 'passed', isProven: false, notProven: /not those of the start/ },
    ],
    [
      'a pass before the turn was cut',
      [stop(4, passed), end('budget_exhausted', 1, 'Stopped: all spent.')],
      { outcome: 'budget_exhausted', isProven: false, notProven: /did not end by itself: Stopped: all spent/ },
    ],
    [
      'skipped in part',
      [stop(4, { ...passed, checks: [...passed.checks, { name: 'lint', outcome: 'nothingChanged' }] })],
      { outcome: 'passed', isProven: true, notProven: /Not run, because this session changed nothing: lint/ },
    ],
  ])('of one that is %s', (_name, entries, { notProven, ...expected }) => {
    const receipt = receiptOf(entries, '1.2.3');
    expect(receipt).toMatchObject({ ...expected, stopgate: '1.2.3', session: 's' });
    expect(receipt?.notProven.join('\n')).toMatch(notProven ?? /^$/);
  });

  it('adds up what several processes spent, and does not know a sum with an unknown price', () => {
    expect(receiptOf([end('completed', 0.5), end('completed', 0.25)], '1')?.spend).toMatchObject({
      usd: 0.75,
      requests: 2,
    });
    expect(receiptOf([end('completed', 0.5), end('completed', null)], '1')?.spend).toMatchObject({ usd: null });
    expect(receiptOf([start], '1')?.spend).toBeNull();
  });

  it('has none for a session without a line', () => {
    expect(receiptOf([], '1')).toBeNull();
  });

  it('names a check of the agent that ran before its last edit, unless the gate ran one', () => {
    const evidence = {
      ...{ commands: [], command_count: 1, files_changed: [], file_count: 1, last_edit_at: null, last_check: null },
      ...{ checked_after_last_edit: false, commands_since_check: 0 },
    };
    const done: LedgerEntry = { ...end('completed', 0), evidence } as LedgerEntry;
    const stale = "The agent's own last check ran before its last edit.";
    expect(receiptOf([done], '1')?.notProven).toContain(stale);
    expect(receiptOf([stop(4, passed), done], '1')?.notProven).toEqual([]);
  });
});

describe('a signature', () => {
  const receipt = receiptOf([start, stop(4, passed), end('completed', 0.5)], '1');
  if (receipt === null) throw new Error('no receipt');

  it('fits what was signed, by a private key that is created once', async () => {
    await using home = await tempFolder();
    const key = localKey(home.path);
    expect(publicKeyOf(localKey(home.path))).toBe(publicKeyOf(key));
    expect(statSync(path.join(home.path, 'keys/receipts.pem')).mode & 0o777).toBe(0o600);
    const verified = verifyReceipt(receiptText(signReceipt(receipt, key)));
    expect(verified.type).toBe('valid');
    expect(keyId(publicKeyOf(key))).toMatch(/^[0-9a-f]{16}$/);
  });

  it('fails for every byte that is changed', async () => {
    await using home = await tempFolder();
    const text = receiptText(signReceipt(receipt, localKey(home.path)));
    const survivors: number[] = [];
    for (let i = 0; i < text.length; i++) {
      const changed = `${text.slice(0, i)}${text[i] === 'a' ? 'b' : 'a'}${text.slice(i + 1)}`;
      if (verifyReceipt(changed).type === 'valid') survivors.push(i);
    }
    expect(survivors).toEqual([]);
    expect(verifyReceipt(`${text} `).type).toBe('changed');
    expect(verifyReceipt(text.replace('"version":1,', '"version":1,"added":2,')).type).toBe('changed');
  }, 60_000);

  it('names what was changed', async () => {
    await using home = await tempFolder();
    const signed = signReceipt(receipt, localKey(home.path));
    const lie = { ...signed, receipt: { ...receipt, outcome: 'great', isProven: false } };
    expect(verifyReceipt(receiptText(lie))).toEqual({
      type: 'changed',
      what: ['`outcome` is not what was signed.', '`isProven` is not what was signed.'],
    });
    await using other = await tempFolder();
    const foreign = { ...signed, publicKey: publicKeyOf(localKey(other.path)) };
    expect(verifyReceipt(receiptText(foreign))).toMatchObject({ what: [expect.stringContaining('signature')] });
  });

  it.each(['', 'x', '[]', '{}', '{"type":"stopgate_receipt"}'])('is not in %j', (text) => {
    expect(verifyReceipt(text).type).toBe('changed');
  });
});

it.each([
  [
    'a waived check',
    {
      type: 'waived',
      reason: 'waived (tests: down)',
      checks: [{ name: 'tests', outcome: 'waived', waived: 'down', ran: { ...ran, exitCode: 1 } }],
    },
  ],
  ['a check that did not run', { type: 'passed', reason: 'x', checks: [{ name: 'lint', outcome: 'nothingChanged' }] }],
  ['an advised one', { type: 'advised', reason: 'x', checks: [{ name: 'style', outcome: 'advised', ran }] }],
] as const)('of %s is valid when it is read back', async (_name, ending) => {
  await using home = await tempFolder();
  const receipt = receiptOf([start, stop(4, ending as EntryOf<'stop'>['ending'])], '1');
  const text = receiptText(signReceipt(receipt as NonNullable<typeof receipt>, localKey(home.path)));
  expect(verifyReceipt(text)).toMatchObject({ type: 'valid' });
});
