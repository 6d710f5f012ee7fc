import { describe, expect, it } from 'vitest';
import { commandPattern, patternCovers, patternIsMentioned } from './commandPattern.ts';

describe('patternCovers', () => {
  it.each([
    ['git status', 'git status', true],
    ['git status', 'git status -s', false],
    ['git *', 'git', true],
    ['git *', 'git status', true],
    ['git *', 'gitk', false],
    ['git*', 'gitk', true],
    ['git:*', 'git status', true],
    ['git:*', 'gitk', false],
    ['npm run *:fix', 'npm run lint:fix', true],
    ['npm run *:fix', 'npm run lint', false],
    ['* --force', 'git push --force', true],
    ['*a*b*', 'xxaxxbxx', true],
    ['*a*b*', 'xxbxxaxx', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ls \\*.ts', 'ls *.ts', true],
    ['ls \\*.ts', 'ls a.ts', false],
    ['git commit *', 'git commit -m "a\nb"', true],
  ])('%j and %j: %s', (pattern, text, expected) => {
    expect(patternCovers(commandPattern(pattern), text)).toBe(expected);
  });
});

describe('patternIsMentioned', () => {
  it.each([
    ['rm *', 'x; rm y', true],
    ['rm *', "x; r''m y", true],
    ['rm *', 'format', false],
    ['rm *', 'git-rm', true],
    ['git push *', 'a | git', true],
    ['*', 'anything', true],
    ['c++ *', 'a; c++ x', true],
  ])('%j in %j: %s', (pattern, text, expected) => {
    expect(patternIsMentioned(commandPattern(pattern), text)).toBe(expected);
  });
});
