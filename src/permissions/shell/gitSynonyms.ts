/** Commands of git, and others that do the same by their first words. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  push: ['send-pack', 'http-push', 'subtree push', 'lfs push', 'svn dcommit', 'p4 submit'],
  fetch: ['fetch-pack', 'http-fetch', 'remote update'],
  pull: ['subtree pull'],
  commit: ['commit-tree'],
  branch: ['update-ref'],
  checkout: ['symbolic-ref', 'checkout-index', 'switch', 'restore'],
  reset: ['read-tree'],
};
const SYNONYMS = Object.entries(SAME).flatMap(([command, others]) =>
  others.map((other) => ({ command, names: other.split(' ') })),
);

/** Other words for the same git command: a rule about `git push` is about `git send-pack` and `git-push`, too. */
export function gitSynonyms([program = '', ...args]: readonly string[]): readonly (readonly string[])[] {
  const words = program === 'git' ? args : program.startsWith('git-') ? [program.slice(4), ...args] : undefined;
  if (!words) return [];
  const same = SYNONYMS.filter(({ names }) => names.every((name, at) => words[at] === name));
  return [
    ...(program === 'git' ? [] : [['git', ...words]]),
    ...same.map(({ names, command }) => ['git', command, ...words.slice(names.length)]),
  ];
}

const KNOWN = new Set(
  (
    'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap ' +
    'check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree ' +
    'config count-objects credential describe diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import ' +
    'fetch fetch-pack filter-branch flow fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id gitk grep gui ' +
    'hash-object help hook http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers lfs log ls-files ls-remote ' +
    'ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree mv ' +
    'multi-pack-index name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport ' +
    'range-diff read-tree rebase reflog refs remote repack replace replay request-pull rerere reset restore rev-list rev-parse revert rm ' +
    'send-email send-pack sh-i18n shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace ' +
    'submodule subtree survey svn switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var ' +
    'verify-commit verify-pack verify-tag version whatchanged worktree write-tree'
  ).split(' '),
);

/** Whether a git command may be an alias, and so any other: it is none of git's own. */
export function mayBeAlias([program = '', command = '']: readonly string[]): boolean {
  return program === 'git' && command !== '' && !command.startsWith('-') && !KNOWN.has(command);
}
