import { describe, expect, it } from 'vitest';
import { whyGitFailed } from './git.ts';

const why = (stderr: string) => whyGitFailed({ what: 'git add in /r', folder: '/r', code: 128, stderr });

describe('why a git command failed', () => {
  it.each([
    ['error: unable to write file: No space left on device\nfatal: x\n', 'The disk of /r is full.'],
    [
      "fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process seems to be running",
      'git add in /r found a lock: another git command is running there, or one crashed.',
    ],
    [
      'error: insufficient permission for adding an object to repository database .git/objects\nfatal: updating files failed',
      'git add in /r may not write (or read) what it needs: insufficient permission for adding an object to repository database .git/objects.',
    ],
    ['warning: w\nerror: the reason.\nfatal: it failed', 'git add in /r failed: the reason.'],
    ['', 'git add in /r failed: exit code 128.'],
  ])('%j', (stderr, sentence) => {
    expect(why(stderr)).toBe(sentence);
  });
});
