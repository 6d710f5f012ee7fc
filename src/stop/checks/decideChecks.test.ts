import { describe, expect, it } from 'vitest';
import type { SessionChecks } from '../../schemas/sessionChecks.ts';
import { type ChecksDecision, decideChecks } from './decideChecks.ts';
import { type Check, type CheckResult, NEW_SESSION } from './types.ts';

const check: Check = {
  name: 'test',
  commandText: 'npm test',
  file: 'sh',
  args: ['-c', 'npm test'],
  cwd: '/p',
  timeoutMs: 1000,
  when: 'changed',
  lines: 40,
  inputs: [],
  folder: '/p',
  severity: 'block',
  baseline: null,
  report: null,
};
const failed: CheckResult = { type: 'failed', check, how: 'exited 1', output: 'no' };
const passed: CheckResult = { type: 'passed', check, durationMs: 1 };
const limits = { stallAfter: 2, maxBlocks: 5 };

const decide = (results: CheckResult[], digest: string, session: SessionChecks = NEW_SESSION) =>
  decideChecks({ results, digest, digestAfter: digest, session, limits });

/** The decisions of one session whose stops find these digests, with a check that always fails. */
function story(digests: readonly string[]): ChecksDecision['type'][] {
  let session = NEW_SESSION;
  return digests.map((digest) => {
    const decision = decide([passed, failed], digest, session);
    session = decision.session;
    return decision.type;
  });
}

describe('decideChecks', () => {
  it('passes when nothing failed, whatever was not run', () => {
    for (const type of ['remembered', 'nothingChanged'] as const) {
      expect(decide([passed, { type, check }], 'a').type).toBe('pass');
    }
    expect(decide([passed, { type: 'outOfTime', check, started: true }], 'a').type).toBe('pass');
    expect(decide([], 'a').type).toBe('pass');
  });

  it.each<[string, string[], string[]]>([
    ['work goes on', ['a', 'b', 'c', 'd'], ['block', 'block', 'block', 'block']],
    ['nothing changes', ['a', 'a', 'a', 'a'], ['block', 'block', 'stalled', 'stalled']],
    ['a change ends the stall', ['a', 'a', 'b', 'b', 'b'], ['block', 'block', 'block', 'block', 'stalled']],
    ['to and fro is capped', ['a', 'b', 'a', 'b', 'a', 'b'], [...Array(5).fill('block'), 'capped']],
  ])('sends back while %s', (_name, digests, decisions) => {
    expect(story(digests)).toEqual(decisions);
  });

  it('starts a new row after a pass, and keeps the count', () => {
    const blocked = decide([failed], 'a');
    const through = decide([passed], 'a', blocked.session);
    expect(through.session).toMatchObject({ baseline: null, blockedAt: null, unchanged: 0, blocks: 1 });
    expect(decide([failed], 'a', through.session)).toMatchObject({
      type: 'block',
      session: { blocks: 2, unchanged: 0 },
    });
  });

  it('sees a stall although the checks write files themselves', () => {
    const first = decideChecks({ results: [failed], digest: 'a', digestAfter: 'b', session: NEW_SESSION, limits });
    expect(first.session.blockedAt).toBe('b');
    expect(decide([failed], 'b', first.session)).toMatchObject({ type: 'block', session: { unchanged: 1 } });
  });

  it.each<[string, string, string, boolean, number]>([
    ['the same', 'a is bad', 'a is bad', false, 1],
    ['other numbers', 'a is bad (seed 1, 5 of 6)', 'a is bad (seed 77, 1 of 9)', false, 1],
    ['another failure', 'a is bad', 'b is bad', false, 0],
    ['one failure less', 'a is bad\nb is bad', 'b is bad', false, 0],
    ['the same, and progress that the agent knows of', 'a is bad', 'a is bad', true, 0],
  ])('counts as progress, with the same files: %s', (_what, before, now, hasOtherProgress, unchanged) => {
    const of = (output: string): CheckResult => ({ type: 'failed', check, how: 'exited 1 after 2s', output });
    const { session } = decide([of(before)], 'a');
    const facts = { results: [of(now)], digest: 'a', digestAfter: 'a', session, limits, hasOtherProgress };
    expect(decideChecks(facts).session).toMatchObject({ unchanged, attempts: 2 });
  });

  it('passes with failures that are accepted, waived or advice', () => {
    const accepted: CheckResult = { type: 'accepted', check, words: 'x' };
    const advised: CheckResult = { type: 'advised', check, how: 'exited 1', output: 'no' };
    expect(decide([accepted, advised, { type: 'waived', check, reason: 'x' }], 'a').type).toBe('pass');
  });

  it('names what failed', () => {
    expect(decide([failed, passed], 'a')).toMatchObject({ failures: [failed] });
  });
});
