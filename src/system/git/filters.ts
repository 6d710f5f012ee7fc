import type { Git } from './git.ts';

/**
 * Whether the clean filters that the user's configuration names (Git LFS, git-crypt) run.
 *
 * They do unless told otherwise, because that is what `git add` stores: without them an LFS file would go into the
 * object store whole, and a file that git-crypt seals would lie there open. A clone cannot bring one along: attributes
 * choose filters, only `.git/config` and the user's own files define them, and git refuses a `.git` that is another
 * user's. `off` is for repositories found lying in the work tree, and for when a filter fails: content as it is on
 * disk is better than no content.
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
