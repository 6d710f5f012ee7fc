import { describe, expect, it } from 'vitest';
import { isInside, mayLieWithin, pathMatches } from './matchPath.ts';

const places = { projectDir: '/work/app', homeDir: '/home/ann', directories: ['/work/app', '/work/lib'] };

describe('pathMatches', () => {
  it.each([
    ['src/**', '/work/app/src/a.ts', true],
    ['src/**', '/work/app/src/a/b/.c', true],
    ['src/**', '/work/app/other/src/a.ts', false],
    ['src/*', '/work/app/src/a.ts', true],
    ['src', '/work/app/src/a/b.ts', true],
    ['src/', '/work/app/src/a.ts', true],
    ['/src/**', '/work/app/src/a.ts', true],
    ['/src/**', '/src/a.ts', false],
    ['./a.ts', '/work/app/a.ts', true],
    ['./a.ts', '/work/app/sub/a.ts', false],
    ['a.ts', '/work/app/sub/a.ts', true],
    ['*.ts', '/work/app/sub/a.ts', true],
    ['.env', '/work/app/.env', true],
    ['.env', '/work/other/.env', false],
    ['**', '/work/app/x', true],
    ['**', '/work/app', true],
    ['**', '/work/x', false],
    ['//etc/**', '/etc/passwd', true],
    ['//etc/**', '/work/app/etc/passwd', false],
    ['//**', '/anything', true],
    ['~/.ssh/**', '/home/ann/.ssh/id', true],
    ['~/.ssh', '/home/ann/.ssh/id', true],
    ['~', '/home/ann/x', true],
    ['~/.ssh/**', '/home/bob/.ssh/id', false],
    ['../lib/**', '/work/lib/x', true],
    ['{src,lib}/**', '/work/app/lib/x', true],
    ['!(x)', '/work/app/y', false],
    ['**/a/**/b/**/c/**/d', '/work/app/a/b/c/d', false],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(pathMatches({ pattern, path, places, strict: false })).toBe(expected);
  });

  it('forbids in every open folder and in any case', () => {
    const asked = { pattern: '.env', path: '/work/lib/.ENV', places };
    expect(pathMatches({ ...asked, strict: true })).toBe(true);
    expect(pathMatches({ ...asked, strict: false })).toBe(false);
  });

  it.each([
    ['./secret.txt', '/work/app/deep/secret.txt', true, false],
    ['keys/**', '/work/app/deep/keys/b.pem', true, false],
    ['./keys/**', '/work/app/deep/keys/b.pem', true, false],
    ['lib/a.txt', '/work/app/deep/lib/a.txt', false, false],
    ['src/*.ts', '/work/app/deep/src/x.ts', false, false],
    ['/top/**', '/work/app/deep/top/t', false, false],
    ['./**', '/work/app/x', true, true],
    ['./**', '/work/x', false, false],
  ])('forbids %s at any depth, as measured: %s', (pattern, path, forbidden, allowed) => {
    expect(pathMatches({ pattern, path, places, strict: true })).toBe(forbidden);
    expect(pathMatches({ pattern, path, places, strict: false })).toBe(allowed);
  });

  it('takes the project folder by its letters, whatever they mean in a pattern', () => {
    const odd = { ...places, projectDir: '/work/[app]*' };
    expect(pathMatches({ pattern: 'a', path: '/work/[app]*/a', places: odd, strict: false })).toBe(true);
  });
});

it.each([
  ['/work/app', true],
  ['/work/app/x', true],
  ['/work/app2', false],
  ['/work', false],
  ['/work/app/..x', true],
])('%s is inside: %s', (path, expected) => {
  expect(isInside(path, ['/work/app'])).toBe(expected);
});

describe('mayLieWithin', () => {
  it.each([
    ['.env', '/work/app/src', true],
    ['.env', '/tmp', false],
    ['secrets/**', '/work/app', true],
    ['secrets/**', '/work/app/secrets/deep', true],
    ['secrets/**', '/work/app/src', true],
    ['secrets/a/**', '/work/app/src', false],
    ['//etc/**', '/work/app', false],
    ['//etc/**', '/', true],
    ['~/.ssh', '/home', true],
    ['**/x', '/work/app/src', true],
  ])('%s in %s: %s', (pattern, folder, expected) => {
    expect(mayLieWithin(pattern, folder, places)).toBe(expected);
  });
});
