import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { openGit } from '../../../git/git.ts';
import type { TrustedContent, TrustedFile, TrustedItem } from '../../../schemas/trust.ts';
import { findRunFiles, type RunFiles, type StartedCommand } from '../../../session/runFiles/runFiles.ts';
import { keyOf, recordFiles } from '../../../session/trust/trustedFiles.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { ignoredAmong } from '../../../stop/frozen/freeze.ts';
import { wallNow } from '../../../system/clock.ts';
import { readByteFileSync } from '../../../system/readTextFile.ts';
import type { World } from '../../../system/world.ts';
import type { Approvable } from './approvable.ts';
import { type GatheredEffects, gatherEffects } from './trustEffects.ts';

/** A folder as it would be approved now. */
export interface FolderContent extends GatheredEffects {
  readonly content: TrustedContent;
  /** The files' texts by digest, for differences. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Everything in the folder (`world.cwd`, a real path) that needs trust, and every file that it runs. */
export async function gatherContent(world: World): Promise<FolderContent> {
  const gathered = await gatherEffects(world);
  const place = { folder: world.cwd, topLevel: topLevelOf(world.cwd) };
  const run = gathered.approvable.map(({ starts, withModules: modules = false }) =>
    findRunFiles(starts.map(inRealFolder), place.topLevel, { modules }),
  );
  const isBuilt = await builtFiles(run, place.topLevel, world);
  const isEditable = editableFiles(gathered);
  const now = wallNow(world.clock);
  const recorded = gathered.approvable.map(({ item }, at) => {
    const counts = (file: string) => !isBuilt(file) && !(item.kind === 'check' && isEditable(file));
    return recordFiles(onlyThose(run[at] ?? NO_FILES, counts), place, now);
  });
  const files: Record<string, TrustedFile> = Object.fromEntries(recorded.flat().map((file) => [keyOf(file), file]));
  const items = gathered.approvable.map((one, at) => recordedItem(one, recorded[at] ?? []));
  const problems = [...gathered.effects.problems, ...notCovered(run, isBuilt, place.folder)];
  return {
    ...gathered,
    effects: { ...gathered.effects, problems },
    content: { items: distinct(items), files },
    texts: textsOf(Object.values(files), world.cwd),
  };
}

const NO_FILES: RunFiles = { scripts: [], absent: [], packageScripts: [], isCut: false };

/** What git ignores is built or installed, not written: an approval does not cover it. */
async function builtFiles(
  run: readonly RunFiles[],
  topLevel: string,
  world: World,
): Promise<(file: string) => boolean> {
  const all = run.flatMap(({ scripts, absent }) => [...scripts, ...absent]);
  const ignored = await ignoredAmong(openGit(world), topLevel, [...new Set(all)]);
  return (file) => ignored.has(file) || file.split(path.sep).includes('node_modules');
}

const MOST_NAMED = 10;

/** A sentence for each limit of the approval. */
function notCovered(run: readonly RunFiles[], isBuilt: (file: string) => boolean, folder: string): readonly string[] {
  const scripts = new Set(run.flatMap((one) => one.scripts));
  const built = [...scripts]
    .filter((file) => isBuilt(file) && existsSync(file))
    .map((file) => path.relative(folder, file));
  const more = built.length > MOST_NAMED ? ` and ${built.length - MOST_NAMED} more` : '';
  const names = `${built.slice(0, MOST_NAMED).join(', ')}${more}`;
  return [
    ...(built.length > 0 ? [`Ignored by git, so not part of the approval, and run as they are: ${names}.`] : []),
    ...(run.some(({ isCut }) => isCut)
      ? ['A command runs more files than Stopgate lists; the others are not part of the approval.']
      : []),
  ];
}

const inRealFolder = (command: StartedCommand): StartedCommand => {
  return { ...command, cwd: existsSync(command.cwd) ? realpathSync(command.cwd) : command.cwd };
};

const recordedItem = ({ item, shown, isKept }: Approvable, files: readonly TrustedFile[]): TrustedItem => ({
  ...item,
  text: isKept ? shown : null,
  files: files.map(keyOf),
});

/** The same entry in two files is one item. */
const distinct = (items: readonly TrustedItem[]) => [...new Map(items.map((item) => [item.digest, item])).values()];

/** Files that the configuration lets agents change: a person accepts whatever they become. */
function editableFiles({ done }: GatheredEffects): (file: string) => boolean {
  if (done === null || done.editable.length === 0) return () => false;
  const isMatch = picomatch([...done.editable], { dot: true });
  const folder = realpathSync(path.dirname(done.file));
  return (file) => isMatch(path.relative(folder, file));
}

const onlyThose = (
  { scripts, absent, packageScripts, isCut }: RunFiles,
  counts: (file: string) => boolean,
): RunFiles => ({
  isCut,
  scripts: scripts.filter(counts),
  absent: absent.filter(counts),
  packageScripts: packageScripts.filter(({ file }) => counts(file)),
});

/** The repository around a folder, or the folder itself. */
function topLevelOf(folder: string): string {
  for (let at = folder; path.dirname(at) !== at; at = path.dirname(at))
    if (existsSync(path.join(at, '.git'))) return at;
  return folder;
}

const LARGEST_TEXT = 256 * 1024;
const MOST_TEXT = 4 * 1024 * 1024;

function textsOf(files: readonly TrustedFile[], folder: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  let left = MOST_TEXT;
  for (const file of files) {
    const text = file.is === 'file' ? textOf(path.resolve(folder, file.path)) : null;
    if (file.is !== 'file' || text === null || text.length > left) continue;
    texts[file.digest] = text;
    left -= text.length;
  }
  return texts;
}

/** Null for a file that is large, gone or not text. */
export function textOf(file: string): string | null {
  const read = readByteFileSync(file, LARGEST_TEXT);
  return read.type !== 'read' || read.cut || read.bytes.includes(0) ? null : read.bytes.toString('utf8');
}

/** Records a folder as it is. */
export async function approveContent({ content, texts }: FolderContent, world: World): Promise<void> {
  const at = new Date(wallNow(world.clock));
  await trustStore(world.stopgateHome).approve({ folder: world.cwd, at, content, texts });
}
