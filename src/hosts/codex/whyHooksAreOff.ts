import path from 'node:path';
import { textIn } from '../../system/readTextFile.ts';
import type { World } from '../../system/world.ts';
import { SETTINGS_SCOPES } from '../host.ts';
import { ourHooks } from './hookTrust.ts';
import { configFile, hooksFile, namesOf } from './places.ts';
import { tomlFault } from './tomlFault.ts';
import { trustIn } from './trustTables.ts';

/** Why Codex will skip hooks of ours in its files; null when it runs them, or when there are none. */
export async function whyCodexHooksAreOff(folder: string, world: World): Promise<string | null> {
  const config = textIn(configFile(world));
  const fault = tomlFault(config);
  if (fault !== null)
    return `Codex will not start: ${configFile(world)}:${fault.line + 1}: ${fault.message}; fix that line.`;
  const switched = switchedOffIn(folder, config, world);
  const trusted = trustIn(config);
  for (const scope of SETTINGS_SCOPES) {
    const file = hooksFile(scope, { ...world, cwd: folder });
    const text = textIn(file);
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
function switchedOffIn(folder: string, config: string, world: World): string | undefined {
  if (switchesHooksOff(config)) return configFile(world);
  const up = foldersUp(folder);
  if (!up.some((one) => trustLevel(config, one) === 'trusted')) return undefined;
  const files = up.map((one) => path.join(one, '.codex', 'config.toml'));
  return files.find((file) => switchesHooksOff(textIn(file)));
}

/** Whether a config.toml switches hooks off, in any of the ways to write that. */
function switchesHooksOff(config: string): boolean {
  const [top = ''] = config.split(/^[ \t]*\[/m);
  return (
    /^[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(sectionOf(config, 'features')) ||
    /^[ \t]*features[ \t]*\.[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(top) ||
    /^[ \t]*features[ \t]*=[ \t]*\{[^}\n]*\b(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(top)
  );
}

/** What the user's config.toml says about a folder itself. */
function trustLevel(config: string, folder: string): string | undefined {
  const section = sectionOf(config, `projects.${JSON.stringify(path.resolve(folder))}`);
  return /^[ \t]*trust_level[ \t]*=[ \t]*["'](\w+)/m.exec(section)?.[1];
}

/** The folder and those above it, as Codex looks for settings of a project; the nearest first. */
function foldersUp(folder: string): readonly string[] {
  const at = path.resolve(folder);
  const parent = path.dirname(at);
  return parent === at ? [at] : [at, ...foldersUp(parent)];
}

/** The lines of a table of TOML. */
function sectionOf(text: string, name: string): string {
  const [, ...tables] = text.split(/^[ \t]*\[/m);
  return tables
    .filter((table) => table.trimStart().startsWith(name) && /^[ \t]*\]/.test(table.trimStart().slice(name.length)))
    .join('\n');
}
