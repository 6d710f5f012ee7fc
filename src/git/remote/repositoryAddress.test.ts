import { describe, expect, it } from 'vitest';
import { isSameUrl, readAddress, withoutUsers } from './repositoryAddress.ts';

const remote = (url: string, hadSecret = false, protocols = 'https:http:ssh:git') => ({
  ...{ type: 'remote', url, protocols, hadSecret },
});

describe('the address of a repository', () => {
  it.each([
    ['https', 'https://example.org/a/b.git', remote('https://example.org/a/b.git')],
    ['a password', 'https://me:word@example.org/a', remote('https://example.org/a', true)],
    ['a token as the user', 'https://ghp_abc@example.org/a', remote('https://example.org/a', true)],
    ['an @ in the path', 'https://example.org/@me/a', remote('https://example.org/@me/a')],
    ['a password with an @', 'https://me:w@rd@example.org/a', remote('https://example.org/a', true)],
    ['ssh', 'ssh://git@example.org:22/a', remote('ssh://git@example.org:22/a')],
    ['ssh with a password', 'ssh://git:word@example.org/a', remote('ssh://git@example.org/a', true)],
    ['scp', 'git@example.org:a/b.git', remote('git@example.org:a/b.git')],
    ['a file URL', 'file:///srv/a.git', remote('file:///srv/a.git', false, 'file')],
    ['capitals', 'HTTPS://example.org/a', remote('https://example.org/a')],
    ['a path', '/srv/a', { type: 'folder', path: '/srv/a' }],
    ['a relative path', '../a', { type: 'folder', path: '/home/a' }],
    ['a colon in a path', './a:b', { type: 'folder', path: '/home/me/a:b' }],
  ])('is read: %s', (_what, text, expected) => {
    expect(readAddress(text, '/home/me')).toEqual(expected);
  });

  it.each([
    ['a command line', 'ext::sh -c touch% /tmp/x', /by ext:, which is not allowed/],
    ['another helper', 'fd::3', /by fd:/],
    ['an unknown protocol', 'ftp://example.org/a', /by ftp:/],
    ['a name that every object has', 'constructor://a/b', /by constructor:/],
    ['an option', '--upload-pack=touch', /cannot start with a dash/],
    ['a line break', 'https://example.org/a\nb', /control characters/],
    ['nothing', '', /is empty/],
    ['a file URL of another machine', 'file://host/srv', /names no absolute path/],
  ])('is refused: %s', (_what, text, reason) => {
    expect(readAddress(text, '/')).toEqual({ type: 'refused', reason: expect.stringMatching(reason) });
  });

  it.each([
    ['https://Example.org/a/b.git', 'https://example.org/a/b/', true],
    ['https://example.org/a', 'https://example.org/A', false],
    ['git@example.org:a.git', 'git@example.org:a', true],
  ])('compares %s with %s', (one, other, expected) => {
    expect(isSameUrl(one, other)).toBe(expected);
  });

  it('is shown without users and passwords, whatever git prints', () => {
    expect(withoutUsers("unable to access 'https://me:word@example.org/a/': 403")).toBe(
      "unable to access 'https://example.org/a/': 403",
    );
  });
});
