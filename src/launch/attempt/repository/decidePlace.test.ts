import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../git/remote/repositoryAddress.ts';
import { decidePlace, type LocalRepository } from './decidePlace.ts';

const URL = 'https://example.org/a.git';
const remote = readAddress(URL, '/');
const clone = { topLevel: '/clone', commonDir: '/clone/.git', origin: remote } as LocalRepository;
const plain: LocalRepository = { topLevel: '/plain', commonDir: '/plain/.git', origin: null };
const linked: LocalRepository = { ...plain, topLevel: '/linked' };
const folder = readAddress('/plain', '/');

describe('where an attempt works', () => {
  it.each([
    ['a task without a repository, in place', { repository: null, here: plain, worktrees: false }, 'inPlace'],
    ['the same with worktrees', { repository: null, here: plain, worktrees: true }, 'worktree of /plain'],
    ['the same outside of git', { repository: null, here: null, worktrees: true }, 'none'],
    ['a worker in a clone', { repository: remote, here: clone, worktrees: false }, 'inPlace'],
    ['the same with worktrees', { repository: remote, here: clone, worktrees: true }, `worktree of /clone for ${URL}`],
    ['a worker elsewhere', { repository: remote, here: plain, worktrees: false }, `clone of ${URL}`],
    ['a worker outside of git', { repository: remote, here: null, worktrees: true }, `clone of ${URL}`],
    ['a folder, and a worker in it', { repository: folder, here: plain, named: plain, worktrees: false }, 'inPlace'],
    [
      'a worker in its linked worktree',
      { repository: folder, here: linked, named: plain, worktrees: false },
      'inPlace',
    ],
    ['a worker elsewhere', { repository: folder, here: clone, named: plain, worktrees: false }, 'worktree of /plain'],
    ['a folder that is not here', { repository: folder, here: clone, named: null, worktrees: true }, 'none'],
    [
      'an address that is not allowed',
      { repository: readAddress('ext::x', '/'), here: clone, worktrees: true },
      'none',
    ],
  ] as const)('%s', (_what, facts, expected) => {
    const place = decidePlace({ named: null, ...facts });
    const words = {
      inPlace: () => 'inPlace',
      none: () => 'none',
      worktree: () =>
        'of' in place ? `worktree of ${place.of}${place.remote === null ? '' : ` for ${place.remote.url}`}` : '',
      clone: () => ('remote' in place ? `clone of ${place.remote?.url}` : ''),
    };
    expect(words[place.type]()).toBe(expected);
  });
});
