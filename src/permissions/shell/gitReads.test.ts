import { describe, expect, it } from 'vitest';
import { gitReads } from './gitReads.ts';

describe('how a line uses git', () => {
  it.each<[string, readonly string[]]>([
    ['git status', ['/p']],
    ['git log -3 | head', ['/p']],
    ['cd sub && git diff', ['/p', '/p/sub']],
    ["cd 'a b' && cd c; git status", ['/p', '/p/a b', '/p/c', '/p/a b/c']],
    ['cat README.md; git blame f', ['/p']],
  ])('reads only: %s', (command, folders) => {
    const use = gitReads(command, '/p');
    expect(use).toMatchObject({ type: 'reading' });
    expect(use.type === 'reading' && [...use.folders].toSorted()).toEqual([...folders].toSorted());
  });

  it.each([
    'ls',
    'git commit -m x',
    'git status && git push',
    'npm test',
    'cat .gitignore',
    'echo x | xargs git add',
    'git diff --submodule=diff A B',
  ])('does not only read: %s', (command) => expect(gitReads(command, '/p')).toEqual({ type: 'notOnlyReading' }));

  it.each(['cd $X && git status', 'cd ~/other && git log', 'cd - ; git status'])('cannot be told: %s', (command) =>
    expect(gitReads(command, '/p')).toMatchObject({ type: 'unclear' }),
  );
});
