import path from 'node:path';
import { readTextFile } from '../../system/readTextFile.ts';
import type { World } from '../../system/world.ts';
import { SETTINGS_SCOPES } from '../host.ts';
import { foldersUp, switchesHooksOff, trustLevel } from './hookSwitch.ts';
import { ourHooks } from './hookTrust.ts';
import { configFile, hooksFile, namesOf } from './places.ts';
import { trustIn } from './trustTables.ts';

const LARGEST_BYTES = 1_000_000;

/** Why Codex will skip hooks of ours in its files; null when it runs them, or when there are none. */
export async function whyCodexHooksAreOff(folder: string, world: World): Promise<string | null> {
  const config = await textIn(configFile(world));
  const switched = await switchedOffIn(folder, config, world);
  const trusted = trustIn(config);
  for (const scope of SETTINGS_SCOPES) {
    const file = hooksFile(scope, { ...world, cwd: folder });
    const text = await textIn(file);
    const stale = await staleHooks(text, file, trusted);
    if (stale === null) continue;
    if (switched) return `Codex will not run these hooks: ${switched} switches hooks off; remove that line.`;
    if (stale > 0)
      return `Codex will skip ${stale === 1 ? 'a hook' : `${stale} hooks`} of Stopgate without a message: ${file} was changed after they were trusted; run \`stopgate init --host codex${scope === 'project' ? ' --scope project' : ''}\` again.`;
    if (scope === 'project' && trustLevel(config, folder) === 'untrusted')
      return `Codex will not run the hooks of ${file}: ${configFile(world)} says that this folder is untrusted; change its trust_level.`;
  }
  return null;
}

/** How many of our hooks are not trusted as they are; null when the file has none. */
async function staleHooks(
  text: string,
  file: string,
  trusted: (key: string) => string | undefined,
): Promise<number | null> {
  const byName = (await namesOf(file)).map((name) => ourHooks(text, name));
  const count = byName[0]?.length ?? 0;
  const stale = byName.map((hooks) => hooks.filter(({ key, hash }) => trusted(key) !== hash).length);
  return count === 0 ? null : Math.min(...stale);
}

/** The file that switches hooks off; a project's counts where Codex trusts the folder or one above it. */
async function switchedOffIn(folder: string, config: string, world: World): Promise<string | undefined> {
  if (switchesHooksOff(config)) return configFile(world);
  const up = foldersUp(folder);
  if (!up.some((one) => trustLevel(config, one) === 'trusted')) return undefined;
  const files = up.map((one) => path.join(one, '.codex', 'config.toml'));
  const texts = await Promise.all(files.map(textIn));
  return files.find((_file, at) => switchesHooksOff(texts[at] ?? ''));
}

async function textIn(file: string): Promise<string> {
  const read = await readTextFile(file, LARGEST_BYTES);
  return read.type === 'read' ? read.text : '';
}
