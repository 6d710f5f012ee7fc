import { describe, expect, it } from 'vitest';
import type { FailureSet } from '../../schemas/baseline.ts';
import { compareFailures, type FailedRun, failureSet } from './failureSet.ts';

const run = (output: string, more: Partial<FailedRun> = {}) =>
  failureSet({ code: 1, output, isCut: false, folder: '/p', tests: undefined, ...more });
const set = (output: string, more: Partial<FailedRun> = {}) => run(output, more) as FailureSet;
const compare = (before: string, now: string) => compareFailures(set(before), run(now)).type;

describe('a failure is the same although', () => {
  it.each([
    ['it took longer', 'a.test.js failed in 1.2s', 'a.test.js failed in 950ms'],
    ['it is later', '2026-11-18T04:00:01Z ERROR no such table', '2026-11-19T11:20:59.123+01:00 ERROR no such table'],
    ['a clock is later', '[04:00:01] no such table', '[23:59:00] no such table'],
    ['a temp folder is another', 'ENOENT /tmp/abc-123/x.json', 'ENOENT /tmp/zzz-9/y.json'],
    ['an address is another', 'leak at 0xdeadbeef', 'leak at 0x1f'],
    [
      'an id is another',
      'job 0b0e6f8a-1111-4222-8333-444455556666 lost',
      'job ffffffff-1111-4222-8333-444455556666 lost',
    ],
    ['the code above it moved', 'src/a.ts:12:5: unused x', 'src/a.ts:40:1: unused x'],
    ['the code above it moved (tsc)', 'src/a.ts(12,5): error TS1', 'src/a.ts(7,1): error TS1'],
    ['the code above it moved (python)', '  File "a.py", line 3, in f', '  File "a.py", line 13, in f'],
    ['colors are on', '\u001b[31mx is broken\u001b[39m', 'x is broken'],
    ['the order is another', 'a is broken\nb is broken', 'b is broken\na is broken'],
    [
      'more tests pass',
      '✓ one\n× two is broken\nTests 1 failed | 1 passed',
      '✓ one\n✓ three\n× two is broken\nTests 1 failed | 2 passed',
    ],
    [
      'pytest counts more',
      'FAILED t.py::a - x\n=== 1 failed, 2 passed in 0.1s ===',
      'FAILED t.py::a - x\n==== 1 failed in 3.12s ====',
    ],
    ['a bar was redrawn', 'x is broken\n10%\r20%\r100% done', 'x is broken\n30%\r100% done'],
    ['coverage is another', 'a.js misses 80.5% of it', 'a.js misses 79% of it'],
  ])('%s', (_what, before, now) => {
    expect(compare(before, now)).toBe('accepted');
    expect(compare(now, before)).toBe('accepted');
  });

  it('it runs in another folder', () => {
    const before = set('/home/me/p/src/a.ts is broken', { folder: '/home/me/p' });
    const now = run('/other/worktree/src/a.ts is broken', { folder: '/other/worktree' });
    expect(compareFailures(before, now)).toEqual({ type: 'accepted', fewer: 0 });
  });

  it('it is in a project below a temp folder', () => {
    const at = (file: string) => run(`/tmp/x/p/${file} is broken`, { folder: '/tmp/x/p' });
    expect(compareFailures(at('a.js') as FailureSet, at('b.js')).type).toBe('new');
  });
});

describe('a failure is new when', () => {
  it.each([
    ['another test fails', '× one', '× one\n× two'],
    ['its name has no Latin letter', '× one', '× one\n✗ оплата картой не проходит\n✗ 支付失败'],
    ['its name is made of words of totals', '× one', '× one\n✗ run all skipped files'],
    ['it is at the end of a long line', `{"a":"${'x'.repeat(3000)}"}`, `{"a":"${'x'.repeat(3000)}","b":"fails"}`],
    ['it ends with the word for a pass', '× one', '× one\nAssertionError: expected FAILED to equal PASSED'],
    ['it begins with ok', '× one', '× one\nok is not defined, TypeError'],
    ['lines end in an odd way', '× one', '× one\n× two\r\r'],
    ['a status differs', 'GET / status:200 is wrong', 'GET / status:500 is wrong'],
    ['another test fails instead', '× test_1 failed', '× test_2 failed'],
    ['the values differ', 'expected 3, got 4', 'expected 3, got 5'],
    ['the same line is there twice', 'src/a.ts:1:1: unused x', 'src/a.ts:1:1: unused x\nsrc/a.ts:9:1: unused x'],
    ['another module is missing', "Cannot find module 'a'", "Cannot find module 'b'"],
  ])('%s', (_what, before, now) => {
    expect(compare(before, now)).toBe('new');
  });

  it.each<[string, FailureSet, ReturnType<typeof run>, string]>([
    ['the exit code is another', set('x'), run('x', { code: 139 }), 'it exited 139 instead of 1'],
    ['the exit code is lower', set('x', { code: 2 }), run('x'), 'it exited 1 instead of 2'],
    ['nothing was printed', set('x'), run(''), 'it printed nothing that names a failure'],
    ['only totals were printed', set('x'), run('3 failed, 2 passed'), 'it printed nothing that names a failure'],
    [
      'too much was printed',
      set('x'),
      run('x', { isCut: true }),
      'it prints more than is compared; give it a "report"',
    ],
    [
      'the report is missing',
      set('', { tests: ['a'] }),
      run('', { tests: 'its report r.xml was not written' }),
      'its report r.xml was not written',
    ],
    ['the report names no test', set('', { tests: ['a'] }), run('', { tests: [] }), 'its report names no failing test'],
    ['a runner crashed', set('', { tests: ['a'] }), run('', { tests: ['a'], code: 3 }), 'it exited 3 instead of 1'],
    ['it has a report now', set('a'), run('', { tests: ['a'] }), 'its failures are read in another way now'],
  ])('%s', (_what, before, now, why) => {
    expect(compareFailures(before, now)).toEqual({ type: 'unlike', why });
  });
});

describe('fewer failures', () => {
  it('are fine, by lines and by tests', () => {
    expect(compareFailures(set('a is bad\nb is bad'), run('a is bad'))).toEqual({ type: 'accepted', fewer: 1 });
    const tests = set('', { tests: ['a', 'b', 'c'], code: 3 });
    // Mocha exits with the number of failures
    expect(compareFailures(tests, run('', { tests: ['c'], code: 1 }))).toEqual({ type: 'accepted', fewer: 2 });
    expect(compareFailures(tests, run('', { tests: ['c', 'd'], code: 2 }))).toEqual({ type: 'new', items: ['d'] });
  });
});

it('keeps nothing of what a check prints', () => {
  expect(JSON.stringify(set('password=hunter2 rejected'))).not.toContain('hunter2');
});

it('reads hostile output in time that grows with its length', () => {
  const startedAt = performance.now();
  for (const piece of ['test ', '1 ', '1:', '/tmp/', '=', 'a.', '1.1', '\u001b[', 'ok ', '(1,'])
    run(piece.repeat(100_000));
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
