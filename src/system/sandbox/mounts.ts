/** A path inside the sandbox. Paths are real ones, without links. */
export type Mount =
  /** `source` is what appears at the path inside; default: the path itself. */
  | { readonly type: 'writable' | 'readOnly'; readonly path: string; readonly source?: string }
  /** Programs find an empty file or folder. */
  | { readonly type: 'emptyFile' | 'emptyFolder'; readonly path: string }
  /** Opening it fails, so that the command sees the refusal. */
  | { readonly type: 'deniedFile' | 'deniedFolder'; readonly path: string };

/** Replacements for files and folders that are hidden. */
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

/** The mounts as options of bwrap: folders before their content, and for the same path only the strictest. */
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
    // a device cannot be opened through such a mount, and git does not add it as a file
    deniedFile: ({ path }) => ['--ro-bind', '/dev/null', path],
    // mounts inside need a folder for their mount points
    deniedFolder: ({ path }) => (hasInside(path) ? seal(path) : ['--ro-bind', sources.deniedFolder, path]),
  };
  const made = ordered.flatMap((mount) => asArguments[mount.type](mount));
  // last, because mount points are created inside them
  return [...made, ...sealed.flatMap((path) => ['--remount-ro', path])];
}

function sourceOf(mount: Mount): string {
  return 'source' in mount && mount.source !== undefined ? mount.source : mount.path;
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
