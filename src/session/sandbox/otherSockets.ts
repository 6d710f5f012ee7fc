import { isInside } from '../../permissions/matchPath.ts';

/**
 * Unix sockets of processes outside, from the text of `/proc/net/unix`: a read-only mount does not prevent connecting to
 * them. Those without a path belong to the network namespace.
 */
export function otherSockets(table: string, hiddenFolders: readonly string[]): readonly string[] {
  const paths = table.split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter((path) => !isInside(path, hiddenFolders));
}
