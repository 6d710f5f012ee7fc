import type { Git } from './git.ts';

/**
 * Whether the filters that the user's configuration names (Git LFS, git-crypt) run where git compares files, and for a
 * commit on a branch, which holds what `git add` stores. What is kept at a ref of ours holds the bytes of the files, and
 * no filter takes part in that: a changed LFS file is kept whole, and one that git-crypt seals is kept open.
 *
 * The default is `run`: without filters every file that one converts would look changed. A clone cannot bring one along:
 * attributes choose filters, only `.git/config` and the user's own files define them, and git refuses a `.git` that is
 * another user's. `off` is for repositories found in the worktree, and for when a filter fails.
 */
export type Filters = 'run' | 'off';

/** Settings that make every configured filter do nothing; none where none is configured. */
export async function filterSettings(git: Git, folder: string): Promise<Record<string, string>> {
  const listed = await git.run({
    folder,
    args: ['config', '--includes', '--null', '--name-only', '--get-regexp', '^filter\\.'],
  });
  if (listed.type === 'failed') return {};
  const names = new Set(listed.stdout.split('\0').map((key) => /^filter\.(.*)\.[^.]+$/s.exec(key)?.[1] ?? ''));
  return Object.fromEntries([...names].filter(Boolean).flatMap(switchedOff));
}

function switchedOff(name: string): readonly (readonly [string, string])[] {
  return [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ];
}
