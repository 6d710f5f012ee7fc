import type { Git } from './git.ts';

/**
 * Whether the filters that the user's configuration names (Git LFS, git-crypt) run where git compares files, and for a
 * commit on a branch. A snapshot always holds the bytes of the files: LFS files whole, git-crypt files decrypted.
 *
 * The default is `run`: without filters every file that one converts would look changed. A clone cannot bring filters
 * with it. `off` is for repositories inside the worktree, and for when a filter fails.
 */
export type Filters = 'run' | 'off';

/** Settings that disable every configured filter. */
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
