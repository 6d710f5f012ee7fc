import { shellWord } from '../system/shellWords.ts';

/** Where snapshots are: outside `refs/heads`, so that branch lists and pushes do not include them. */
export const SNAPSHOTS = 'refs/stopgate/wip';

/** A name that a ref may have: other characters become dashes. */
export const plainName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+|\.lock$|\.+$/g, '');

export const snapshotRef = (id: string): string => `${SNAPSHOTS}/${plainName(id) || 'unnamed'}`;

/** The name of a snapshot for people. */
export const snapshotId = (ref: string): string =>
  ref.startsWith(`${SNAPSHOTS}/`) ? ref.slice(SNAPSHOTS.length + 1) : ref;

/** The command that restores a snapshot, from any folder of its repository; `folder` is for use elsewhere. */
export function recoverCommand(ref: string, folder?: string): string {
  const command = `stopgate restore ${snapshotId(ref)}`;
  return folder === undefined ? command : `cd ${shellWord(folder)} && ${command}`;
}
