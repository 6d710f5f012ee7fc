import { describe, expect, it } from 'vitest';
import type { TrustedContent, TrustedFile, TrustedItem } from '../../../schemas/trust.ts';
import { differenceSince } from './difference.ts';
import type { FolderContent } from './folderContent.ts';

const item = (id: string, digest: string, text: string | null = digest): TrustedItem => {
  return { kind: 'hook', id, digest, text, files: [] };
};
const file = (more: Partial<Extract<TrustedFile, { is: 'file' }>> = {}): TrustedFile => {
  return { is: 'file', path: 'a', real: null, digest: '1', executable: false, stamp: null, ...more };
};
const content = (items: TrustedItem[], files: Record<string, TrustedFile> = {}): TrustedContent => ({ items, files });
const MISSING: TrustedFile = { is: 'missing', path: 'a' };
const script = (text: string): TrustedFile => ({
  is: 'scripts',
  path: 'p',
  scripts: { x: text, prex: null },
  stamp: null,
});

function between(before: TrustedContent, after: TrustedContent) {
  const now = { content: after, approvable: [] } as unknown as FolderContent;
  return differenceSince(before, now, { folder: '/nowhere', texts: {} });
}

describe('the difference of entries', () => {
  it.each([
    ['none', [item('a', '1')], [item('b', '1')], []],
    ['one is edited', [item('a', '1')], [item('a', '2')], [['edited', '1', '2']]],
    ['one is added', [item('a', '1')], [item('a', '1'), item('b', '2')], [['added', null, '2']]],
    ['one is removed', [item('a', '1')], [], [['removed', '1', null]]],
    ['a secret was not kept', [item('a', '1', null)], [item('a', '2', null)], [['edited', null, null]]],
  ])('%s', (_name, before, after, expected) => {
    const { items } = between(content(before), content(after));
    expect(items.map(({ how, before: was, after: is }) => [how, was, is])).toEqual(expected);
  });
});

describe('the difference of files', () => {
  it.each<[string, TrustedFile | undefined, TrustedFile | undefined, string | null]>([
    ['the same', file(), file({ stamp: 'other' }), null],
    ['other content', file(), file({ digest: '2' }), 'edited'],
    ['another target', file(), file({ real: 'b' }), 'linked elsewhere'],
    ['another mode', file(), file({ executable: true }), 'made executable or not'],
    ['one that appeared', MISSING, file(), 'added'],
    ['one that is newly run', undefined, file(), 'added'],
    ['one that is gone', file(), MISSING, 'deleted'],
    ['one that no entry runs', file(), undefined, 'no longer run'],
    ['one that goes on missing', MISSING, undefined, null],
    ['the same scripts', script('1'), script('1'), null],
    ['an edited script', script('1'), script('2'), 'edited'],
  ])('%s', (_name, was, is, expected) => {
    const all = (one: TrustedFile | undefined) => content([], one === undefined ? {} : { a: one });
    expect(between(all(was), all(is)).files.map(({ how }) => how)).toEqual(expected === null ? [] : [expected]);
  });

  it('shows a long text in part', () => {
    const { files } = between(content([], { a: script('1') }), content([], { a: script('2\n'.repeat(1_000)) }));
    expect(files[0]?.diff).toMatch(/… \d+ more lines\n$/);
  });
});
