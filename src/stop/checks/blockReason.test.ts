import { describe, expect, it } from 'vitest';
import type { FailureSet } from '../../schemas/baseline.ts';
import type { SessionChecks } from '../../schemas/sessionChecks.ts';
import { blockReason } from './blockReason.ts';
import { failureSet } from './failureSet.ts';
import { type AdvisedCheck, type Check, type CheckResult, type FailedCheck, NEW_SESSION } from './types.ts';

const check = (name: string): Check => ({
  ...{ name, commandText: `run ${name}`, file: 'sh', args: [], cwd: '/p', folder: '/p', timeoutMs: 1, when: 'default' },
  ...{ lines: 40, inputs: [], severity: 'block', baseline: null, report: null },
});
const failed = (name: string, output: string, more: Partial<FailedCheck> = {}): FailedCheck => ({
  ...{ type: 'failed', check: check(name), how: 'exited 1 after 2s', output },
  ...more,
});
const found = (output: string) =>
  failureSet({ code: 1, output, isCut: false, folder: '/p', tests: undefined }) as FailureSet;

const block = (results: readonly CheckResult[], session: Partial<SessionChecks> = {}) => {
  const failures = results.filter((result): result is FailedCheck => result.type === 'failed');
  return blockReason({ type: 'block', failures, session: { ...NEW_SESSION, attempts: 1, ...session } }, results);
};
/** The parts of the second of two messages, without its first and last sentence. */
const second = (first: readonly CheckResult[], then: readonly CheckResult[]) =>
  block(then, { attempts: 2, sent: block(first).sent })
    .reason.split('\n\n')
    .slice(1, -1);

describe('what an agent is sent', () => {
  it('is everything at first', () => {
    expect(block([failed('a', 'x is broken'), failed('b', '')]).reason).toBe(
      'Not done yet: 2 of 2 checks failed.\n\na (`run a`) exited 1 after 2s:\nx is broken\n\nb (`run b`) exited 1 after 2s, with no output.\n\nFix the failures, then stop; the checks will run again.',
    );
  });

  it.each<[string, readonly CheckResult[], readonly CheckResult[], readonly string[]]>([
    [
      'the same',
      [failed('a', 'x')],
      [failed('a', 'x', { how: 'exited 1 after 3.5s' })],
      ['Still failing: a (same output as before).'],
    ],
    [
      'less',
      [failed('a', 'x is bad\ny is bad')],
      [failed('a', 'x is bad')],
      ['Still failing: a (nothing new in its output, and 1 line fewer).'],
    ],
    [
      'another end',
      [failed('a', 'x')],
      [failed('a', 'x', { how: 'exited 139 after 2s' })],
      ['a (`run a`) exited 139 after 2s, with no new output.'],
    ],
    ['no output, twice', [failed('a', '')], [failed('a', '')], ['Still failing: a (same output as before).']],
    [
      'another check',
      [failed('a', 'x')],
      [failed('b', 'x')],
      ['b (`run b`) exited 1 after 2s:\nx', 'No longer failing: a.'],
    ],
  ])('is, after a first message, of %s', (_what, before, now, parts) => {
    expect(second(before, now)).toEqual(parts);
  });

  it('has new lines with what is around them', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `case ${'abcdefghijklmnopqrstuvwxyzABCD'[at]} is broken`);
    const then = lines.with(20, 'case NEW is broken');
    const [text = ''] = second([failed('a', lines.join('\n'))], [failed('a', then.join('\n'))]);
    expect(text.split('\n').slice(1)).toEqual(then.slice(18, 23));
  });

  it('has nothing of what was accepted, and names the tests that were not', () => {
    const accepted = found('old one is broken\nold two is broken');
    const now = failed('a', 'old one is broken\nnew is broken\nold two is broken', { accepted });
    expect(block([now]).reason).toContain('exited 1 after 2s:\nnew is broken\n\nFix');
    const tests = (items: readonly string[]) => ({ code: 1, by: 'tests', items }) as const;
    const named = failed('a', 'words', { accepted: tests(['old']), found: tests(['new', 'old']) });
    expect(block([named]).reason).toContain('exited 1 after 2s: new\nwords');
  });

  it('has advice once', () => {
    const advice: AdvisedCheck = { ...failed('lint', 'too long'), type: 'advised' };
    const first = block([failed('a', 'x'), advice]);
    expect(first.reason).toContain(
      'Advice, which does not keep you from stopping:\n\nlint (`run lint`) exited 1 after 2s:\ntoo long',
    );
    expect(block([failed('a', 'x'), advice], { attempts: 2, sent: first.sent }).reason).not.toContain('lint');
  });

  it.each([
    [1, 0, 'Not done yet: 1 of 1 check failed.'],
    [3, 0, 'Not done yet: 1 of 1 check failed. Attempt 3; the work changed since attempt 2.'],
    [3, 1, 'Not done yet: 1 of 1 check failed. Attempt 3; nothing changed since attempt 2.'],
  ])('begins with attempt %i', (attempts, unchanged, head) => {
    expect(block([failed('a', 'x')], { attempts, unchanged }).reason.split('\n')[0]).toBe(head);
  });

  it('is bounded, however much was printed', () => {
    const output = Array.from({ length: 30_000 }, (_, at) => `error number ${at}`).join('\n');
    const startedAt = performance.now();
    const first = block([failed('a', output)]);
    const next = block([failed('a', `${output}\nerror x`)], { attempts: 2, sent: first.sent });
    expect(first.reason.length).toBeLessThan(3_100);
    expect(next.reason.length).toBeLessThan(3_100);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('is, over several stops, every line that failed, also those that did not fit into a message', () => {
    const name = (at: number) => String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26));
    const lines = Array.from({ length: 300 }, (_, at) => `error: case ${name(at)} is broken`);
    const results = [failed('a', lines.join('\n')), failed('b', 'y is bad')];
    const seen = new Set<string>();
    let sent: SessionChecks['sent'] = {};
    let stops = 0;
    for (; stops < 20; stops++) {
      const { reason, sent: now } = block(results, { attempts: stops + 1, sent });
      expect(reason.length).toBeLessThan(3_100);
      for (const line of reason.split('\n')) seen.add(line);
      sent = now;
      if (reason.includes('Still failing: a (same output as before).')) break;
    }
    expect(lines.filter((line) => !seen.has(line))).toEqual([]);
    expect(stops).toBeLessThan(12);
  });

  it('is not, at a later stop, what was left out of a long output although nothing in it failed', () => {
    const noise = Array.from({ length: 500 }, (_, at) => `starting server ${at}`);
    const output = [...noise, 'error: x is broken', ...noise].join('\n');
    expect(second([failed('a', output)], [failed('a', output)])).toEqual(['Still failing: a (same output as before).']);
  });

  it('takes a check with the name of a built-in for what it is', () => {
    expect(second([failed('a', 'x')], [failed('constructor', 'x')])).toContain(
      'constructor (`run constructor`) exited 1 after 2s:\nx',
    );
  });
});
