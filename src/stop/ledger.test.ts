import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { briefReason, claimOf, ledgerFile, type NewEntry, recordEntry } from './ledger.ts';
import { decidePruned, pruneRecords } from './pruneRecords.ts';
import { findSessions, readDecisions, readSession, readSessions } from './readLedger.ts';

const WRITER = path.join(import.meta.dirname, '../../tests/support/ledgerWriter.mjs');
const subject = { session: 's', folder: '/p', agent: 'a', hostPid: 1, launch: null, worker: null };
const waiver: NewEntry = { type: 'waiver', check: 'tests', reason: 'x', by: 'me' };
const hook: NewEntry = {
  ...{ type: 'hook', event: 'Stop', hook: 'h', source: 'f', verdict: 'passed', reason: '', durationMs: 1 },
};
const write = (stopgateHome: string, entry: NewEntry, more: Partial<typeof subject> = {}) =>
  recordEntry(entry, { stopgateHome, clock: systemClock, subject: { ...subject, ...more } });

function startWriter(home: string, name: string, count: number) {
  const child = spawn(process.execPath, [WRITER, home, 'shared', name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  return { child, printed: () => printed.split('\n').filter((line) => line !== '') };
}

describe('the ledger', () => {
  it('is one private file per session, found again by its id', async () => {
    await using home = await tempFolder();
    expect(write(home.path, waiver)).toBeNull();
    expect(write(home.path, waiver, { session: 'completions of w 1' })).toBeNull();
    const file = ledgerFile(home.path, 's');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(readSession(home.path, 's')).toMatchObject([{ type: 'waiver', session: 's', folder: '/p' }]);
    expect(findSessions(home.path, 'compl')).toEqual(['completions of w 1']);
    expect(findSessions(home.path, '')).toEqual([]);
  });

  it('keeps every line of eight processes that write at the same time', async () => {
    await using home = await tempFolder();
    const names = [...'abcdefgh'];
    await Promise.all(names.map((name) => once(startWriter(home.path, name, 200).child, 'close')));
    const entries = readSession(home.path, 'shared');
    expect(entries).toHaveLength(8 * 200);
    for (const name of names) expect(entries.filter(({ agent }) => agent === name)).toHaveLength(200);
  }, 60_000);

  it('has every line whose writer was killed with -9 after it was told so', async () => {
    await using home = await tempFolder();
    const writers = ['a', 'b', 'c'].map((name) => startWriter(home.path, name, 1_000_000));
    for (const { child } of writers) await once(child.stdout, 'data');
    for (const { child } of writers) child.kill('SIGKILL');
    for (const { child } of writers)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    const reasons = new Set(readSession(home.path, 'shared').map((one) => (one.type === 'waiver' ? one.reason : '')));
    for (const [index, { printed }] of writers.entries()) {
      const name = 'abc'[index];
      const missing = printed().filter((n) => !reasons.has(`${name} ${n} ${'x'.repeat(Number(n) % 300)}`));
      expect(missing).toEqual([]);
      expect(printed().length).toBeGreaterThan(0);
    }
  }, 60_000);

  it('begins a new line after one that a full disk cut', async () => {
    await using home = await tempFolder();
    write(home.path, waiver);
    appendFileSync(ledgerFile(home.path, 's'), '{"type":"waiver","at":"20');
    write(home.path, { ...waiver, reason: 'after' });
    expect(readSession(home.path, 's').map((one) => one.type === 'waiver' && one.reason)).toEqual(['x', 'after']);
  });

  it('says in the file when it is full, and goes on with what decides', async () => {
    await using home = await tempFolder();
    write(home.path, waiver, { session: 'full' });
    appendFileSync(ledgerFile(home.path, 'full'), `${' '.repeat(1_000_001)}\n`);
    expect(write(home.path, hook, { session: 'full' })).toBeNull();
    expect(write(home.path, hook, { session: 'full' })).toBeNull();
    expect(write(home.path, waiver, { session: 'full' })).toBeNull();
    expect(readSession(home.path, 'full').map(({ type }) => type)).toEqual(['waiver', 'capped', 'waiver']);
  });

  it('lets no earlier pass decide when later stops have no room', async () => {
    await using home = await tempFolder();
    const passed: NewEntry = { type: 'stop', ending: { type: 'passed', reason: 'passed', checks: [] }, durationMs: 1 };
    write(home.path, passed, { session: 'huge' });
    appendFileSync(ledgerFile(home.path, 'huge'), `${' '.repeat(16_000_001)}\n`);
    expect(write(home.path, passed, { session: 'huge' })).toContain('has reached 16 MB');
    expect(readDecisions(home.path).map((one) => one.ending?.type)).toEqual(['passed', 'error']);
  });

  it('returns a sentence when it cannot be written', async () => {
    await using home = await tempFolder();
    writeFileSync(path.join(home.path, 'ledger'), 'in the way');
    expect(write(home.path, waiver)).toMatch(/^Stopgate: the decision could not be recorded in .*ledger\/s\.jsonl/);
  });

  it('finds sessions by folder, launch and worker', async () => {
    await using home = await tempFolder();
    const start: NewEntry = { type: 'sessionStart', ending: null };
    write(home.path, start, { session: 'one', folder: '/a' });
    write(home.path, start, { session: 'two', folder: '/b', launch: 'l' } as never);
    write(home.path, start, { session: 'three', folder: '/b', worker: 'w' } as never);
    const found = (query: Parameters<typeof readDecisions>[1]) =>
      readDecisions(home.path, query).map((one) => one.session);
    expect(found({ folder: '/b' }).toSorted()).toEqual(['three', 'two']);
    expect([found({ launch: 'l' }), found({ worker: 'w' }), found({ folder: '/c' })]).toEqual([['two'], ['three'], []]);
    expect(readSessions(home.path, { since: Date.now() + 60_000 })).toEqual([]);
  });
});

describe('what is kept', () => {
  const day = 86_400_000;
  const file = (name: number, writtenAt: number) => ({ file: String(name), writtenAt });

  it.each([
    ['nothing old', [file(1, 100 * day)], []],
    ['older than 90 days', [file(1, 9 * day), file(2, 11 * day)], ['1']],
    ['too many', Array.from({ length: 5_002 }, (_, n) => file(n, 99 * day)), ['0', '1']],
  ])('%s', (_name, files, removed) => {
    expect(decidePruned(files, 100 * day).map((one) => one.file)).toEqual(removed);
  });

  it('is checked one time per day', async () => {
    await using home = await tempFolder();
    const folder = path.join(home.path, 'ledger');
    mkdirSync(folder);
    const old = path.join(folder, 'old.jsonl');
    const make = () => {
      writeFileSync(old, '');
      utimesSync(old, 1, 1);
    };
    const now = Date.now();
    make();
    pruneRecords([folder], now);
    expect(() => readFileSync(old)).toThrow();
    make();
    pruneRecords([folder], now + day / 2);
    expect(readFileSync(old, 'utf8')).toBe('');
    pruneRecords([folder], now + 2 * day);
    expect(() => readFileSync(old)).toThrow();
  });
});

describe('text in a line', () => {
  const env = { MY_TOKEN: 'hunter2hunter2' };

  it('is the first line of a reason, cut and without secrets', () => {
    expect(briefReason('it failed with hunter2hunter2\nand a secret output', env)).toBe('it failed with [redacted]');
    expect(briefReason('x'.repeat(1000), env)).toHaveLength(300);
  });

  it('is the beginning of an answer', () => {
    expect(claimOf({ last_assistant_message: 'All done.\nKey: sk-abcdefghijkl' }, env)).toEqual({
      claim: 'All done. Key: [redacted]',
    });
    expect(claimOf({ last_assistant_message: 'x'.repeat(5000) }, env).claim).toHaveLength(1000);
    expect(claimOf({ last_assistant_message: 7 }, env)).toEqual({});
  });
});
