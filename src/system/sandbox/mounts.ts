/** What a path is inside the sandbox. Paths are real ones, without links. */
export type Mount =
  /** `source` is what is there inside, where it is not the path itself. */
  | { readonly type: 'writable' | 'readOnly'; readonly path: string; readonly source?: string }
  /** Nothing is there: programs that look for a file or folder of this name find an empty one. */
  | { readonly type: 'emptyFile' | 'emptyFolder'; readonly path: string }
  /** Opening it fails, so that the command learns that it was refused. */
  | { readonly type: 'deniedFile' | 'deniedFolder'; readonly path: string };

/** What stands in for files and folders that are shut. */
export interface ShutSources {
  readonly emptyFile: string;
  /** A folder that its own owner may not open. */
  readonly deniedFolder: string;
}

const STRENGTH: Readonly<Record<Mount['type'], number>> = {
  writable: 0,
  readOnly: 1,
  emptyFile: 2,
  emptyFolder: 2,
  deniedFile: 3,
  deniedFolder: 3,
};

/**
 * The mounts as options of bwrap, which makes them in this order: folders before what is in them, and of two for the same
 * path only the stricter one.
 */
export function mountArguments(mounts: readonly Mount[], sources: ShutSources): string[] {
  const strictest = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = strictest.get(mount.path);
    if (!other || STRENGTH[mount.type] > STRENGTH[other.type]) strictest.set(mount.path, mount);
  }
  const ordered = [...strictest.values()].sort((a, b) => depth(a.path) - depth(b.path));
  const hasInside = (path: string) => ordered.some((other) => other.path.startsWith(`${path}/`));
  const sealed: string[] = [];
  const seal = (path: string) => {
    sealed.push(path);
    return ['--tmpfs', path];
  };
  const asArguments: Readonly<Record<Mount['type'], (mount: Mount) => readonly string[]>> = {
    writable: (mount) => ['--bind-try', sourceOf(mount), mount.path],
    readOnly: (mount) => ['--ro-bind-try', sourceOf(mount), mount.path],
    emptyFile: ({ path }) => ['--ro-bind', sources.emptyFile, path],
    emptyFolder: ({ path }) => seal(path),
    // a device cannot be opened through such a mount, and git does not take it for a file to add
    deniedFile: ({ path }) => ['--ro-bind', '/dev/null', path],
    // what is mounted inside needs a folder that it can be made in
    deniedFolder: ({ path }) => (hasInside(path) ? seal(path) : ['--ro-bind', sources.deniedFolder, path]),
  };
  const made = ordered.flatMap((mount) => asArguments[mount.type](mount));
  // last, because mount points are made inside them
  return [...made, ...sealed.flatMap((path) => ['--remount-ro', path])];
}

function sourceOf(mount: Mount): string {
  return 'source' in mount && mount.source !== undefined ? mount.source : mount.path;
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
