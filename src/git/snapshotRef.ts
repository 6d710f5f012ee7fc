/** Where snapshots are: outside `refs/heads`, so that no branch list shows them and no push takes them along. */
export const SNAPSHOTS = 'refs/stopgate/wip';

/** The ref of one snapshot; whatever an id has in it that a ref may not becomes a dash. */
export function snapshotRef(id: string): string {
  const name = id
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+|\.lock$|\.+$/g, '');
  return `${SNAPSHOTS}/${name || 'unnamed'}`;
}

/** The name of a snapshot for people: what its ref has after the folder of all snapshots. */
export const snapshotId = (ref: string): string =>
  ref.startsWith(`${SNAPSHOTS}/`) ? ref.slice(SNAPSHOTS.length + 1) : ref;

/** The command that brings a snapshot back, for any folder of its repository; with the folder where that is another one. */
export function recoverCommand(ref: string, folder?: string): string {
  const command = `stopgate restore ${snapshotId(ref)}`;
  return folder === undefined ? command : `cd ${shellWord(folder)} && ${command}`;
}

function shellWord(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
