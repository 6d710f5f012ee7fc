import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { HookEntry } from '../../schemas/settingsHold.ts';
import { textIn } from '../../system/readTextFile.ts';
import type { World } from '../../system/world.ts';
import { hookKey, keyOfEntry } from '../settings/format.ts';
import { ourHooks } from './hookTrust.ts';
import { configFile, hooksFile, namesOf } from './places.ts';
import { trustIn } from './trustTables.ts';

/** Whether a hook of ours is in Codex's own files and trusted: it would run twice if it were also on the command line. */
export async function isWiredAlready(folder: string, world: World): Promise<(entry: HookEntry) => boolean> {
  const trusted = trustIn(textIn(configFile(world)));
  const keys = new Set<string>();
  // a folder's own hooks may be off for reasons that are not known here
  const file = hooksFile('user', { ...world, cwd: folder });
  const text = textIn(file);
  for (const name of await namesOf(file)) {
    const effective = ourHooks(text, name).filter(({ key, hash }) => trusted(key) === hash);
    for (const { key } of effective) keys.add(keyAt(text, key.slice(name.length + 1)));
  }
  return (entry) => keys.has(keyOfEntry(entry));
}

/** The key of the entry at a place like `stop:0:1`. */
function keyAt(text: string, place: string): string {
  const [snake = '', group = '', handler = ''] = place.split(':');
  const root = jsonValue(text.replace(/^\ufeff/, ''));
  const hooks = isObject(root) && isObject(root.hooks) ? root.hooks : {};
  const event = Object.keys(hooks).find((name) => name.toLowerCase() === snake.replaceAll('_', '')) ?? '';
  const groups = hooks[event] as readonly { readonly hooks: readonly { readonly command: string }[] }[] | undefined;
  return hookKey(event, groups?.[Number(group)]?.hooks[Number(handler)]?.command ?? '');
}
