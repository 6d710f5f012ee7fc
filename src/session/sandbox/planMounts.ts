import { dirname } from 'node:path';
import { isInside } from '../../permissions/matchPath.ts';
import type { Mount } from '../../system/sandbox/mounts.ts';
import { SOCKET_FOLDERS, SYSTEM_BELOW_RUN, TEMP_FOLDERS } from './credentialPlaces.ts';
import type { PathInspector } from './inspectPaths.ts';

/** Absolute paths; links in them are followed here. What does not exist is left out. */
export interface SandboxPlaces {
  /** The open folders, and what settings open for writing beside them. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Empty inside, unless `readable` or `writable` name the path or something below it. */
  readonly hidden: readonly string[];
  /** Inaccessible inside, instead of empty like `hidden`. */
  readonly refused: readonly string[];
  /** Always inaccessible, with everything in them. */
  readonly denied: readonly string[];
  readonly readable: readonly string[];
  /** Single files that are visible in a denied folder: what hooks left, a socket. */
  readonly files: readonly { readonly path: string; readonly source?: string }[];
  /** The session's temp folder: also `/tmp` inside. */
  readonly temp: string;
}

/**
 * The mounts of every command of a session. Planned before the first command: later the agent could put links into the
 * open folders, and a mount of such a link would open its target.
 */
export function planMounts(places: SandboxPlaces, inspect: PathInspector): readonly Mount[] {
  const real = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => inspect.real(path) ?? []))];
  const denied = real(places.denied);
  const readOnly = real(places.readOnly);
  const readable = real(places.readable);
  // the whole disk cannot be opened: everything hidden would have to be found first
  const isOpen = (path: string) => path !== '/' && !isInside(path, denied);
  const writable = real(places.writable).filter(isOpen);
  const isReopened = (path: string) => readable.includes(path) || writable.includes(path);
  const soft = (paths: readonly string[]) => real(paths).filter((path) => !isReopened(path) && !isInside(path, denied));
  const hide = (type: 'empty' | 'denied', paths: readonly string[]): Mount[] =>
    paths.map((path) => ({ type: inspect.kind(path) === 'folder' ? `${type}Folder` : `${type}File`, path }));
  const shut = [
    ...hide('denied', denied),
    ...hide('denied', soft(places.refused)),
    ...hide('empty', soft(places.hidden)),
    ...readOnly.map((path): Mount => ({ type: 'readOnly', path })),
  ];
  const roots = writable.map((path): Mount => ({ type: isInside(path, readOnly) ? 'readOnly' : 'writable', path }));
  const opened = [...roots, ...readable.map(readOnlyMount)];
  const seen = shut.filter((mount) => !isCoveredBy(mount, shut, opened));
  return [
    ...system(places, inspect, real).filter(({ path }) => !writable.includes(path)),
    ...roots,
    ...readable.filter((path) => isOpen(path) && !isInside(path, writable)).map(readOnlyMount),
    ...seen,
    ...pins(seen, roots),
    { type: 'writable', path: places.temp },
    ...places.files.map(({ path, source }): Mount => ({ type: 'readOnly', path, ...(source && { source }) })),
  ];
}

/** Whether the folder around it is already closed: a mount in it would only show its name. */
function isCoveredBy({ path }: Mount, shut: readonly Mount[], opened: readonly Mount[]): boolean {
  const around = [...shut, ...opened].filter((other) => other.path !== path && isInside(path, [other.path]));
  const nearest = around.toSorted((a, b) => b.path.length - a.path.length)[0];
  return nearest !== undefined && shut.includes(nearest) && nearest.type !== 'readOnly';
}

const readOnlyMount = (path: string): Mount => ({ type: 'readOnly', path });

function system(places: SandboxPlaces, inspect: PathInspector, real: (paths: readonly string[]) => string[]): Mount[] {
  const temps = TEMP_FOLDERS.filter((path) => inspect.kind(path) === 'folder');
  return [
    ...temps.map((path): Mount => ({ type: 'writable', path, source: places.temp })),
    ...real(SOCKET_FOLDERS).map((path): Mount => ({ type: 'emptyFolder', path })),
    ...SYSTEM_BELOW_RUN.filter((path) => inspect.kind(path) !== 'absent').map(readOnlyMount),
  ];
}

/**
 * The folders between an open one and what is closed in it, each mounted on itself: the kernel does not rename mount
 * points, so a command cannot replace such a folder by its own.
 */
function pins(shut: readonly Mount[], roots: readonly Mount[]): Mount[] {
  const open = roots.filter(({ type }) => type === 'writable').map(({ path }) => path);
  const closed = shut.map(({ path }) => path);
  const between = shut.flatMap(({ path }) => {
    const root = open.filter((one) => one !== path && isInside(path, [one])).toSorted((a, b) => b.length - a.length)[0];
    const folders: string[] = [];
    if (root === undefined) return folders;
    for (let folder = dirname(path); folder !== root; folder = dirname(folder)) folders.push(folder);
    return folders;
  });
  return [...new Set(between)].filter((path) => !isInside(path, closed)).map((path) => ({ type: 'writable', path }));
}
