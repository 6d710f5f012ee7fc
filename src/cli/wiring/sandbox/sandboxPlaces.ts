import path from 'node:path';
import { isInside } from '../../../permissions/matchPath.ts';
import type { PermissionContext } from '../../../query/toolUseContext.ts';
import type { SandboxSettings } from '../../../schemas/sandboxSettings.ts';
import { CREDENTIAL_PLACES, SYSTEM_SECRETS } from '../../../session/sandbox/credentialPlaces.ts';
import { deniedPatterns, deniedPlaces } from '../../../session/sandbox/deniedPlaces.ts';
import { guardedPlaces } from '../../../session/sandbox/guardedPlaces.ts';
import { inspectFiles as inspect } from '../../../session/sandbox/inspectPaths.ts';
import type { SandboxPlaces } from '../../../session/sandbox/planMounts.ts';
import { claudeConfigDir } from '../../../session/settings/settingsFiles.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import type { World } from '../../../system/world.ts';

interface PlacesFacts {
  readonly settings: SandboxSettings;
  readonly permissions: PermissionContext;
  readonly world: Pick<World, 'cwd' | 'homeDir' | 'stopgateHome' | 'env'>;
  readonly temp: string;
  readonly files: SandboxPlaces['files'];
}

export type FoundSandboxPlaces = ReturnType<typeof sandboxPlaces>;

const hasWildcard = (text: string) => /[*?[{]/.test(text);

/** The places of a sandbox from settings, rules and files, before the first command runs. */
export function sandboxPlaces({ settings, permissions, world, temp, files }: PlacesFacts) {
  const { filesystem } = settings;
  const absolute = (text: string) => absolutePath(text, world);
  const open = [world.cwd, ...permissions.additionalDirectories];
  const folders = [...new Set(open.flatMap((folder) => inspect.real(folder) ?? []))];
  const guarded = folders.map((folder) => guardedPlaces(folder, inspect, readSmallFile));
  const patterns = deniedPatterns(permissions.rules.deny);
  const places = { projectDir: world.cwd, homeDir: world.homeDir, directories: permissions.additionalDirectories };
  const asPattern = (text: string) => `/${absolute(text)}`;
  const reading = [...patterns.reading, ...settings.secretFiles.map(asPattern)];
  const denied = deniedPlaces(reading, places);
  const refused = deniedPlaces(filesystem.denyRead.map(asPattern), places);
  const readOnly = deniedPlaces([...patterns.writing, ...filesystem.denyWrite.map(asPattern)], places);
  const usable = (list: readonly string[]) => list.filter((text) => !hasWildcard(text)).map(absolute);
  // paths in an open folder are open already, and may be links of the repository
  const opened = usable(filesystem.allowWrite).filter((one) => !isInside(one, folders));
  return {
    /** The open folders, with links resolved. */
    folders,
    places: {
      writable: [...folders, ...guarded.flatMap(({ writable }) => writable), ...opened],
      readOnly: [...guarded.flatMap((one) => one.readOnly), ...readOnly.paths],
      hidden: credentials(world),
      refused: refused.paths,
      denied: [world.stopgateHome, ...denied.paths],
      readable: usable(filesystem.allowRead),
      files,
      temp,
    },
    watched: guarded.flatMap(({ watched }) => watched),
    toMake: guarded.flatMap(({ toMake }) => toMake),
    /** Searches again, for new files. */
    denied: () => deniedPlaces(reading, places, { within: folders }).paths,
    warnings: [
      ...[...denied.unfinished, ...refused.unfinished, ...readOnly.unfinished].map(tooMuch),
      ...[...filesystem.allowWrite, ...filesystem.allowRead].filter(hasWildcard).map(noWildcard),
      ...(folders.includes('/') ? ['The sandbox does not open / for writing; open a folder below it.'] : []),
    ],
  };
}

const tooMuch = (pattern: string) =>
  `The sandbox stopped searching for ${pattern} after 100,000 files and folders, so commands may read other matches; use a narrower folder.`;
const noWildcard = (text: string) =>
  `${text} in sandbox.filesystem has no effect: only deny lists may have wildcards; use the path of a folder.`;

function credentials(world: PlacesFacts['world']): readonly string[] {
  const home = CREDENTIAL_PLACES.map((name) => path.join(world.homeDir, name));
  const config = ['.credentials.json', 'projects', 'history.jsonl'].map((name) =>
    path.join(claudeConfigDir(world), name),
  );
  return [...home, ...config, ...SYSTEM_SECRETS];
}

/** As in Claude Code: `/x` and the older `//x` from the root, `~/x` from home, others from the project. */
function absolutePath(text: string, { cwd, homeDir }: PlacesFacts['world']): string {
  const trimmed = text.replace(/(?<=.)\/(\*\*)?\/*$/, '');
  if (trimmed === '~' || trimmed.startsWith('~/')) return path.join(homeDir, trimmed.slice(1));
  return path.resolve(cwd, trimmed.replace(/^\/+/, '/'));
}

const MOST_BYTES = 65_536;

function readSmallFile(file: string): string | undefined {
  const read = readTextFileSync(file, MOST_BYTES);
  return read.type === 'read' ? read.text : undefined;
}
