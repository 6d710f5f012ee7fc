/** Where snapshots are: outside `refs/heads`, so that no branch list shows them and no push takes them along. */
const FOLDER = 'refs/stopgate/wip';

/** The ref of one snapshot; whatever an id has in it that a ref may not becomes a dash. */
export function snapshotRef(id: string): string {
  const name = id
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+|\.lock$|\.+$/g, '');
  return `${FOLDER}/${name || 'unnamed'}`;
}

/**
 * The one command that puts what a snapshot holds back into its work tree: files changed, added, removed. Neither the
 * branch nor the index is touched, and untracked files that are not in the snapshot stay.
 */
export function recoverCommand(topLevel: string, ref: string): string {
  return `git -C ${shellWord(topLevel)} restore --source=${shellWord(ref)} --worktree -- :/`;
}

function shellWord(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
