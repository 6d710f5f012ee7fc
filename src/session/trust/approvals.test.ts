import { describe, expect, it } from 'vitest';
import type { TrustedContent, TrustRecord } from '../../schemas/trust.ts';
import { approvalsOf, MOST_APPROVALS, withApproval } from './approvals.ts';

const content = (digest: string, stamp: string | null = null): TrustedContent => ({
  items: [{ kind: 'hook', id: 'Stop[0]', digest, text: '', files: ['a.sh'] }],
  files: { 'a.sh': { is: 'file', path: 'a.sh', real: null, digest, executable: false, stamp } },
});
const approval = (digest: string, trustedAt: string, stamp?: string) => ({
  folder: '/p',
  trustedAt,
  content: content(digest, stamp),
});
const digests = (record: TrustRecord) => approvalsOf(record).map(({ content: { items } }) => items[0]?.digest);
const approved = (...names: readonly string[]) =>
  names.reduce<TrustRecord | null>((record, name, at) => withApproval(record, approval(name, `${at}`)), null) ??
  approval('none', '');

describe('the approvals of a folder', () => {
  it.each([
    ['one', ['a'], ['a']],
    ['two, the latest first', ['a', 'b'], ['b', 'a']],
    ['the same again counts once, and is the latest', ['a', 'b', 'a'], ['a', 'b']],
    ['the oldest ones are dropped', [...'abcdefghij'], [...'jihgfedc']],
  ])('%s', (_name, given, expected) => {
    expect(digests(approved(...given))).toEqual(expected);
  });

  it('keeps as many as it says', () => {
    expect(approvalsOf(approved(...'abcdefghijkl'))).toHaveLength(MOST_APPROVALS);
  });

  it('is the same content when only the times of its files differ', () => {
    const again = withApproval(approval('a', '1', 'old'), approval('a', '2', 'new'));
    expect(approvalsOf(again).map(({ trustedAt }) => trustedAt)).toEqual(['2']);
    expect(again).not.toHaveProperty('earlier');
  });

  it('of an older version approved no content', () => {
    expect(approvalsOf({ folder: '/p', trustedAt: '1' })).toEqual([]);
    expect(digests(withApproval({ folder: '/p', trustedAt: '1' }, approval('a', '2')))).toEqual(['a']);
  });
});
