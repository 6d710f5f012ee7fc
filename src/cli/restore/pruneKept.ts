import path from 'node:path';
import { loadSettings } from '../../session/settings/loadSettings.ts';
import { wallNow } from '../../system/clock.ts';
import type { Git } from '../../system/git/git.ts';
import type { KeptState } from '../../system/git/restore/keptStates.ts';
import { pruneStates } from '../../system/git/restore/pruneStates.ts';
import { findWorkTree } from '../../system/git/workTree.ts';
import type { World } from '../world.ts';
import { type KeepWork, keepWorkSetting } from './keepWorkSetting.ts';

/** Removes kept states that are older than the user's setting allows; sentences about what was removed. */
export async function pruneKept(git: Git, folder: string, world: World): Promise<readonly string[]> {
  if ((await findWorkTree(git, folder)).type !== 'workTree') return [];
  const setting = await readSetting(folder, world);
  if (setting.type === 'bad') return [setting.message];
  if (setting.type === 'forever') return [];
  const { removed, problems } = await pruneStates(git, { folder, olderThanMs: setting.ms, now: wallNow(world.clock) });
  return [...(removed.length === 0 ? [] : [removedText(removed, setting.text)]), ...problems];
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

function removedText(removed: readonly KeptState[], age: string): string {
  const names = removed.slice(0, MAX_NAMED).map(({ id, commit }) => `${id} (${commit.slice(0, 10)})`);
  const more = removed.length > MAX_NAMED ? ` and ${removed.length - MAX_NAMED} more` : '';
  const states = removed.length === 1 ? '1 kept state' : `${removed.length} kept states`;
  return `removed ${states} older than ${age}: ${names.join(', ')}${more}; until git gc, git update-ref refs/stopgate/wip/ID COMMIT brings one back`;
}
