import { isInside } from '../../permissions/matchPath.ts';

/**
 * Unix sockets that processes outside listen on, from the text of `/proc/net/unix`. A read-only mount does not keep
 * a command from connecting to one. Those without a path belong to the network, which the sandbox has its own of.
 */
export function otherSockets(table: string, hiddenFolders: readonly string[]): readonly string[] {
  const paths = table.split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter((path) => !isInside(path, hiddenFolders));
}
