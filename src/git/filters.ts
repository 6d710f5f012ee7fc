import { type Git, outputOf } from './git.ts';
import type { Settings } from './hardening.ts';

/**
 * Whether the filters that the user's configuration names (Git LFS, git-crypt) run where git compares files, and for a
 * commit on a branch. A snapshot always holds the bytes of the files: LFS files whole, git-crypt files decrypted.
 *
 * The default is `run`: without filters every file that one converts would look changed. A clone cannot bring filters
 * with it. `off` is for repositories inside the worktree, and for when a filter fails.
 */
export type Filters = 'run' | 'off';

/** Settings that disable every configured filter. */
export async function filterSettings(git: Git, folder: string): Promise<Settings> {
  const args = ['config', '--includes', '--null', '--name-only', '--get-regexp', '^filter\\.'];
  const listed = await outputOf(git, { folder, args }).catch(() => '');
  const names = listed.split('\0').flatMap((key) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []);
  const off = (name: string) =>
    Object.entries({ clean: '', smudge: '', process: '', required: 'false' }).map(([key, value]) => [
      `filter.${name}.${key}`,
      value,
    ]);
  return Object.fromEntries(names.flatMap(off));
}
