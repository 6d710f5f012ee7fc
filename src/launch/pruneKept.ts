import { hash } from 'node:crypto';
import path from 'node:path';
import type { Git } from '../git/git.ts';
import type { PruneTime } from '../git/restore/decidePrune.ts';
import type { KeptState } from '../git/restore/keptStates.ts';
import { type MarkFile, pruneStates } from '../git/restore/pruneStates.ts';
import { findWorkTree, oneLine } from '../git/workTree.ts';
import { readJsonFile } from '../schemas/jsonFile.ts';
import { pruneMarks } from '../schemas/pruneMarks.ts';
import { loadSettings } from '../session/settings/loadSettings.ts';
import { writePrivateFile } from '../system/atomicFile.ts';
import { type Clock, wallNow } from '../system/clock.ts';
import { ownValue } from '../system/ownValue.ts';
import type { World } from '../system/world.ts';

/** Removes kept states that are older than the user's setting allows; returns sentences for the report. */
export async function pruneKept(git: Git, folder: string, world: World): Promise<readonly string[]> {
  if ((await findWorkTree(git, folder)).type !== 'workTree') return [];
  const setting = await readSetting(folder, world);
  if (setting.type === 'bad') return [setting.message];
  if (setting.type === 'forever') return [];
  const marks = await openMarks(git, folder, world.stopgateHome);
  const wish = { folder, olderThanMs: setting.ms, now: timeOf(world.clock), marks };
  const { removed, announced, problems } = await pruneStates(git, wish);
  return [
    ...(removed.length === 0 ? [] : [removedText(removed, setting.text)]),
    ...(announced.length === 0 ? [] : [announcedText(announced, setting.text)]),
    ...problems,
  ];
}

/** Only the person's own files count: a repository must not be able to discard work. */
async function readSetting(folder: string, { homeDir, env }: World): Promise<KeepWork> {
  const { layers, problems } = await loadSettings({ projectDir: folder, homeDir, env });
  const own = layers.filter(({ source }) => source === 'user' || source === 'managed');
  // a file that cannot be read may contain "forever"
  const unread = problems.find(({ level, file, path }) => level === 'error' && path === '' && !isInside(folder, file));
  if (unread) return { type: 'bad', message: `${unread.message}; no kept work was removed` };
  const layer = own.findLast(({ settings }) => settings.other.keepWork !== undefined);
  return parseKeepWork(layer?.settings.other.keepWork, layer?.file);
}

const isInside = (folder: string, file: string) => file.startsWith(path.join(folder, path.sep));

/** How long kept work stays. */
type KeepWork =
  | { readonly type: 'forever' }
  | { readonly type: 'for'; readonly ms: number; readonly text: string }
  | { readonly type: 'bad'; readonly message: string };

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { d: DAY_MS, w: 7 * DAY_MS, h: 3_600_000 };
const DEFAULT: KeepWork = { type: 'for', ms: 30 * DAY_MS, text: '30d' };

/** The value of `keepWork` in a settings file: `"30d"`, `"12w"`, `"48h"` or `"forever"`; 30 days by default. */
function parseKeepWork(value: unknown, file = 'settings'): KeepWork {
  if (value === undefined) return DEFAULT;
  if (value === 'forever') return { type: 'forever' };
  const [, number, unit = ''] = /^\s*(\d{1,5})\s*([dwh])\s*$/.exec(typeof value === 'string' ? value : '') ?? [];
  const ms = Number(number) * (ownValue(UNITS, unit) ?? 0);
  if (ms > 0) return { type: 'for', ms, text: `${number}${unit}` };
  const message = `${file}: keepWork must be a duration such as "30d" or "forever", got ${JSON.stringify(value)}; nothing was removed`;
  return { type: 'bad', message };
}

/** In the person's home, one file per repository: an agent must not be able to make work look old. */
async function openMarks(git: Git, folder: string, stopgateHome: string): Promise<MarkFile> {
  const common = await oneLine(git, folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const name = hash('sha256', common ?? folder).slice(0, 32);
  const file = path.join(stopgateHome, 'kept', `${name}.json`);
  return {
    // missing or damaged: old states are announced again
    read: async () => (await readJsonFile(file, pruneMarks)) ?? {},
    write: (marks) => writePrivateFile(file, `${JSON.stringify(marks)}\n`),
  };
}

const MAX_NAMED = 10;

function timeOf(clock: Clock): PruneTime {
  const boot = clock.sinceBoot?.() ?? null;
  return { wall: wallNow(clock), boot: boot && { id: boot.id, ms: boot.ms() } };
}

function removedText(removed: readonly KeptState[], age: string): string {
  return `removed ${countText(removed)} older than ${age}: ${namesText(removed)}; until git gc, git update-ref refs/stopgate/wip/ID COMMIT restores one`;
}

function announcedText(announced: readonly KeptState[], age: string): string {
  const verb = announced.length === 1 ? 'is' : 'are';
  return `${countText(announced)} ${verb} older than ${age} and will be removed by a launch in a day or later: ${namesText(announced)}; "keepWork" in your settings changes that`;
}

const countText = ({ length }: readonly KeptState[]) => (length === 1 ? '1 kept state' : `${length} kept states`);

function namesText(states: readonly KeptState[]): string {
  const names = states.slice(0, MAX_NAMED).map(({ id, commit }) => `${id} (${commit.slice(0, 10)})`);
  return `${names.join(', ')}${states.length > MAX_NAMED ? ` and ${states.length - MAX_NAMED} more` : ''}`;
}
