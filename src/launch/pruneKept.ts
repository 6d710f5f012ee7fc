import path from 'node:path';
import type { Git } from '../git/git.ts';
import type { PruneTime } from '../git/restore/decidePrune.ts';
import type { KeptState } from '../git/restore/keptStates.ts';
import { pruneStates } from '../git/restore/pruneStates.ts';
import { findWorkTree } from '../git/workTree.ts';
import { loadSettings } from '../session/settings/loadSettings.ts';
import { type Clock, wallNow } from '../system/clock.ts';
import type { World } from '../system/world.ts';
import { type KeepWork, keepWorkSetting } from './keepWorkSetting.ts';
import { openMarks } from './pruneMarks.ts';

/** Removes kept states that are older than the user's setting allows; sentences about what was removed. */
export async function pruneKept(git: Git, folder: string, world: World): Promise<readonly string[]> {
  if ((await findWorkTree(git, folder)).type !== 'workTree') return [];
  const setting = await readSetting(folder, world);
  if (setting.type === 'bad') return [setting.message];
  if (setting.type === 'forever') return [];
  const marks = await openMarks(git, folder, world.stopgateHome);
  const { removed, announced, problems } = await pruneStates(git, {
    ...{ folder, olderThanMs: setting.ms, now: timeOf(world.clock), marks },
  });
  return [
    ...(removed.length === 0 ? [] : [removedText(removed, setting.text)]),
    ...(announced.length === 0 ? [] : [announcedText(announced, setting.text)]),
    ...problems,
  ];
}

/** Only the person's own files count: a repository must not be able to throw work away. */
async function readSetting(folder: string, { homeDir, env }: World): Promise<KeepWork> {
  const { layers, problems } = await loadSettings({ projectDir: folder, homeDir, env });
  const own = layers.filter(({ source }) => source === 'user' || source === 'managed');
  // a file that cannot be read may well say "forever"
  const unread = problems.find(({ level, file, path }) => level === 'error' && path === '' && !isInside(folder, file));
  if (unread) return { type: 'bad', message: `${unread.message}; no kept work was removed` };
  const layer = own.findLast(({ settings }) => settings.other.keepWork !== undefined);
  return keepWorkSetting(layer?.settings.other.keepWork, layer?.file);
}

const isInside = (folder: string, file: string) => file.startsWith(path.join(folder, path.sep));

const MAX_NAMED = 10;

function timeOf(clock: Clock): PruneTime {
  const boot = clock.sinceBoot?.() ?? null;
  return { wall: wallNow(clock), boot: boot && { id: boot.id, ms: boot.ms() } };
}

function removedText(removed: readonly KeptState[], age: string): string {
  return `removed ${countText(removed)} older than ${age}: ${namesText(removed)}; until git gc, git update-ref refs/stopgate/wip/ID COMMIT brings one back`;
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
