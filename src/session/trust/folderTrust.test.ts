import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TrustedFile } from '../../schemas/trust.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { ADDED, anyTrust, approvedTrust, BY_PATH, CHANGED, contentTrust, NOT_TRUSTED } from './folderTrust.ts';
import { fileComparison, keyOf, recordFiles } from './trustedFiles.ts';
import { trustItem } from './trustItem.ts';
import { trustStore } from './trustStore.ts';

const NO_RUN = { scripts: [], absent: [], packageScripts: [], isCut: false };
const hook = (command: string, id = 'Stop[0]') => trustItem('hook', id, { event: 'Stop', command });

describe('an approval', () => {
  const item = { ...hook('sh a.sh'), text: '', files: ['a.sh'] };
  const files: Record<string, TrustedFile> = { 'a.sh': { is: 'missing', path: 'a.sh' } };

  it.each([
    ['the same entry', hook('sh a.sh'), null, null],
    ['the same entry elsewhere in the file', hook('sh a.sh', 'Stop[3]'), null, null],
    ['the same entry with another script', hook('sh a.sh'), 'edited', `${CHANGED} (a.sh: edited)`],
    ['an edited entry', hook('sh b.sh'), null, CHANGED],
    ['a new entry', hook('sh b.sh', 'Stop[1]'), null, ADDED],
    [
      'the same text of another kind',
      trustItem('check', 'Stop[0]', { event: 'Stop', command: 'sh a.sh' }),
      null,
      ADDED,
    ],
  ] as const)('decides for %s', (_name, asked, change, expected) => {
    expect(contentTrust({ items: [item], files }, () => change).whyNot(asked)).toBe(expected);
  });

  it('does not depend on the order of keys', () => {
    expect(trustItem('hook', 'x', { a: 1, b: { c: 2, d: undefined } })).toEqual(
      trustItem('hook', 'x', { b: { c: 2 }, a: 1 }),
    );
  });

  it('counts, and is revoked, while a session runs', async () => {
    await using home = await tempFolder();
    const store = trustStore(home.path);
    const trust = approvedTrust({ store, recorded: '/p', folder: '/p', clock: () => 0 });
    expect([trust.level, trust.whyNot(item)]).toEqual(['none', NOT_TRUSTED]);
    await store.approve({
      folder: '/p',
      at: new Date(0),
      content: { items: [{ ...item, files: [] }], files: {} },
      texts: {},
    });
    expect([trust.level, trust.whyNot(item)]).toEqual(['content', null]);
    writeFileSync(store.fileOf('/p'), JSON.stringify({ folder: '/p', trustedAt: '' }));
    expect([trust.level, trust.whyNot(item)]).toEqual(['path', BY_PATH]);
    await store.forget('/p');
    expect(trust.level).toBe('none');
  });
});

describe('several approvals', () => {
  const one = (command: string, change: 'edited' | null, kind: 'hook' | 'definition' = 'hook') => {
    const item = { ...trustItem(kind, 'Stop[0]', { event: 'Stop', command }), text: '', files: ['a.sh'] };
    return contentTrust({ items: [item], files: { 'a.sh': { is: 'missing', path: 'a.sh' } } }, () => change);
  };

  it.each([
    ['the latest', [one('x', null), one('y', null)], null],
    ['an earlier one', [one('y', null), one('x', null)], null],
    ['an earlier one, as the file of the latest changed', [one('x', 'edited'), one('x', null)], null],
    [
      'none: the reason is that of the latest which knows it',
      [one('x', 'edited'), one('y', null)],
      `${CHANGED} (a.sh: edited)`,
    ],
    ['none at all', [one('y', null), one('z', null)], CHANGED],
  ] as const)('approve what is in %s', (_name, approvals, expected) => {
    expect(anyTrust(approvals).whyNot(hook('x'))).toBe(expected);
  });

  it('cover a file only by one that approves the entry as it is', () => {
    expect(anyTrust([one('y', null), one('x', null)]).covers(hook('x'), 'a.sh')).toBe(true);
    expect(anyTrust([one('y', null), one('x', 'edited')]).covers(hook('x'), 'a.sh')).toBe(false);
  });

  it('say by the latest alone whether there have to be checks', () => {
    expect(anyTrust([one('x', null), one('y', null, 'definition')]).approves?.('definition')).toBe(false);
    expect(anyTrust([one('y', null, 'definition'), one('x', null)]).approves?.('definition')).toBe(true);
  });
});

describe('a file that was approved', () => {
  const HOUR = 3_600_000;
  const CHANGES: Readonly<Record<string, readonly [(file: (name: string) => string) => void, string | null]>> = {
    nothing: [() => {}, null],
    'other times of the same content': [(file) => utimesSync(file('a.sh'), 1, 1), null],
    'a copy of the same content': [
      (file) => {
        writeFileSync(file('new'), 'one');
        renameSync(file('new'), file('a.sh'));
      },
      null,
    ],
    'other content': [(file) => writeFileSync(file('a.sh'), 'two'), 'edited'],
    'other content of the same length and times': [
      (file) => {
        const { atime, mtime } = statSync(file('a.sh'));
        writeFileSync(file('a.sh'), 'eno');
        utimesSync(file('a.sh'), atime, mtime);
      },
      'edited',
    ],
    'its removal': [(file) => rmSync(file('a.sh')), 'deleted'],
    'a folder in its place': [
      (file) => {
        rmSync(file('a.sh'));
        mkdirSync(file('a.sh'));
      },
      'deleted',
    ],
    'a link to the same content': [
      (file) => {
        linkSync(file('a.sh'), file('b.sh'));
        rmSync(file('a.sh'));
        symlinkSync('b.sh', file('a.sh'));
      },
      'moved by a link',
    ],
    'its mode': [(file) => chmodSync(file('a.sh'), 0o755), 'made executable or not'],
  };

  it.each(Object.entries(CHANGES))('is compared after %s', async (_name, [change, expected]) => {
    await using folder = await tempFolder();
    const file = (name: string) => path.join(folder.path, name);
    writeFileSync(file('a.sh'), 'one', { mode: 0o644 });
    const place = { folder: folder.path, topLevel: folder.path };
    for (const now of [Date.now() + HOUR, Date.now()]) {
      const [recorded] = recordFiles({ ...NO_RUN, scripts: [file('a.sh')] }, place, now);
      if (recorded?.is !== 'file') throw new Error('not recorded');
      // right after it was written, its times could stay the same
      expect(recorded.stamp === null).toBe(now < Date.now() + HOUR / 2);
      expect(fileComparison(folder.path, () => now)(recorded)).toBeNull();
    }
    const [recorded] = recordFiles({ ...NO_RUN, scripts: [file('a.sh')] }, place, Date.now() + HOUR);
    const compare = fileComparison(folder.path, () => Date.now() + HOUR);
    expect(compare(recorded as TrustedFile)).toBeNull();
    change(file);
    expect(compare(recorded as TrustedFile)).toBe(expected);
  });

  it('is read in parts when it is large, and never when it is a pipe', async () => {
    await using folder = await tempFolder();
    const large = path.join(folder.path, 'large');
    writeFileSync(large, Buffer.alloc(3_000_000, 1));
    const [recorded] = recordFiles({ ...NO_RUN, scripts: [large] }, { folder: folder.path, topLevel: folder.path }, 0);
    writeFileSync(large, Buffer.concat([Buffer.alloc(2_999_999, 1), Buffer.of(2)]));
    expect(fileComparison(folder.path, () => 0)(recorded as TrustedFile)).toBe('edited');
    rmSync(large);
    execFileSync('mkfifo', [large]);
    expect(fileComparison(folder.path, () => 0)(recorded as TrustedFile)).toBe('deleted');
  });

  it('is compared in another folder by the same paths', async () => {
    await using folder = await tempFolder();
    for (const tree of ['one', 'two']) {
      mkdirSync(path.join(folder.path, tree));
      writeFileSync(path.join(folder.path, tree, 'real.sh'), 'x');
      symlinkSync('real.sh', path.join(folder.path, tree, 'a.sh'));
    }
    const one = path.join(folder.path, 'one');
    const [recorded] = recordFiles({ ...NO_RUN, scripts: [path.join(one, 'a.sh')] }, { folder: one, topLevel: one }, 0);
    expect(recorded).toMatchObject({ is: 'file', path: 'a.sh', real: 'real.sh' });
    expect(keyOf(recorded as TrustedFile)).toBe('a.sh');
    expect(fileComparison(path.join(folder.path, 'two'), () => 0)(recorded as TrustedFile)).toBeNull();
  });
});
