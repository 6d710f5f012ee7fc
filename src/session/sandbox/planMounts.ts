import { dirname } from 'node:path';
import { isInside } from '../../permissions/matchPath.ts';
import type { Mount } from '../../system/sandbox/mounts.ts';
import { SOCKET_FOLDERS, SYSTEM_BELOW_RUN, TEMP_FOLDERS } from './credentialPlaces.ts';
import type { Look } from './look.ts';

/** Absolute paths; links in them are followed here. What does not exist is left out. */
export interface SandboxPlaces {
  /** The open folders, and what settings open for writing beside them. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Empty inside, unless `readable` or `writable` name the very path or something below it. */
  readonly hidden: readonly string[];
  /** Refused inside, like `hidden`, but said. */
  readonly refused: readonly string[];
  /** Refused whatever else is said of them or of what is in them. */
  readonly denied: readonly string[];
  readonly readable: readonly string[];
  /** Single files that are there although they lie in a denied folder: what hooks left, a socket. */
  readonly files: readonly { readonly path: string; readonly source?: string }[];
  /** The session's temp folder: also `/tmp` inside. */
  readonly temp: string;
}

/**
 * What every command of a session finds inside. Made once, before the first command: from then on the agent can put
 * links into the open folders, and a mount whose source is such a link would open where the link leads.
 */
export function planMounts(places: SandboxPlaces, look: Look): readonly Mount[] {
  const real = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => look.real(path) ?? []))];
  const denied = real(places.denied);
  const readOnly = real(places.readOnly);
  const readable = real(places.readable);
  // the whole disk cannot be opened: all that is hidden would have to be found first
  const isOpen = (path: string) => path !== '/' && !isInside(path, denied);
  const writable = real(places.writable).filter(isOpen);
  const isReopened = (path: string) => readable.includes(path) || writable.includes(path);
  const soft = (paths: readonly string[]) => real(paths).filter((path) => !isReopened(path) && !isInside(path, denied));
  const hide = (type: 'empty' | 'denied', paths: readonly string[]): Mount[] =>
    paths.map((path) => ({ type: look.kind(path) === 'folder' ? `${type}Folder` : `${type}File`, path }));
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
    ...system(places, look, real).filter(({ path }) => !writable.includes(path)),
    ...roots,
    ...readable.filter((path) => isOpen(path) && !isInside(path, writable)).map(readOnlyMount),
    ...seen,
    ...pins(seen, roots),
    { type: 'writable', path: places.temp },
    ...places.files.map(({ path, source }): Mount => ({ type: 'readOnly', path, ...(source && { source }) })),
  ];
}

/** Whether the folder around it is shut already: a mount in there would only show its name. */
function isCoveredBy({ path }: Mount, shut: readonly Mount[], opened: readonly Mount[]): boolean {
  const around = [...shut, ...opened].filter((other) => other.path !== path && isInside(path, [other.path]));
  const nearest = around.toSorted((a, b) => b.path.length - a.path.length)[0];
  return nearest !== undefined && shut.includes(nearest) && nearest.type !== 'readOnly';
}

const readOnlyMount = (path: string): Mount => ({ type: 'readOnly', path });

function system(places: SandboxPlaces, look: Look, real: (paths: readonly string[]) => string[]): Mount[] {
  const temps = TEMP_FOLDERS.filter((path) => look.kind(path) === 'folder');
  return [
    ...temps.map((path): Mount => ({ type: 'writable', path, source: places.temp })),
    ...real(SOCKET_FOLDERS).map((path): Mount => ({ type: 'emptyFolder', path })),
    ...SYSTEM_BELOW_RUN.filter((path) => look.kind(path) !== 'absent').map(readOnlyMount),
  ];
}

/**
 * The folders between an open one and what is shut in it, each mounted on itself: the kernel renames no mount point, so a
 * command cannot move the folder away together with what is shut, and put its own in that place.
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
